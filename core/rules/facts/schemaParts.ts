import { isObject, type Json, type JsonObject } from '../../json.js';
import { isEqual } from '../../jsonText/jsonCompare.js';
import { listed } from '../../words.js';

/** A member of a combination. */
export interface Alternative {
  readonly schema: Json;
  readonly index: number;
}

/** The members of two combinations that have no equal one on the other side. */
export function unmatched(
  before: readonly Json[],
  after: readonly Json[],
): { removed: readonly Alternative[]; added: readonly Alternative[] } {
  const rest = after.map((schema, index) => ({ schema, index }));
  const removed = before.flatMap((schema, index) => {
    const at = rest.findIndex((other) => isEqual(other.schema, schema));
    if (at < 0) return [{ schema, index }];
    rest.splice(at, 1);
    return [];
  });
  return { removed, added: rest };
}

/** The values that a schema lists; undefined where it lists none. */
export function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  const forms = schema.anyOf === undefined ? schema.oneOf : schema.oneOf === undefined ? schema.anyOf : undefined;
  if (!Array.isArray(forms) || forms.length === 0) return undefined;
  const values = forms.map((form: Json) => {
    if (!isObject(form)) return undefined;
    return form.type === 'null' ? [null] : Array.isArray(form.enum) ? form.enum : form.const === undefined ? undefined : [form.const];
  });
  return values.every((list) => list !== undefined) && values.some((list) => list[0] !== null) ? values.flat() : undefined;
}

/** Keywords that limit a number, a text or a list. */
export const limits = [
  { keyword: 'maximum', upper: true },
  { keyword: 'exclusiveMaximum', upper: true },
  { keyword: 'maxLength', upper: true },
  { keyword: 'maxItems', upper: true },
  { keyword: 'minimum', upper: false },
  { keyword: 'exclusiveMinimum', upper: false },
  { keyword: 'minLength', upper: false },
  { keyword: 'minItems', upper: false },
] as const;

export interface TypeChange {
  /** Some values have become legal. */
  readonly widened: boolean;
  /** Some values are no longer legal. */
  readonly narrowed: boolean;
  /** The change, as words that follow the field's name. */
  readonly words: string;
}

/** The change of the `type` of a schema, or undefined when it is equivalent. No type means any. */
export function findTypeChange(before: { schema: JsonObject }, after: { schema: JsonObject }): TypeChange | undefined {
  const old = typesOf(before.schema);
  const now = typesOf(after.schema);
  if (old === undefined && now === undefined) return undefined;
  if (now === undefined) return { widened: true, narrowed: false, words: `may now be of any type (was ${listed(old ?? [], 'or')})` };
  if (old === undefined) return { widened: false, narrowed: true, words: `is now limited to the type ${listed(now, 'or')}` };
  const added = now.filter((type) => !covers(old, type));
  const removed = old.filter((type) => !covers(now, type));
  if (added.length === 0 && removed.length === 0) return undefined;
  if (removed.length === 0) return { widened: true, narrowed: false, words: `may now also be ${listed(added, 'or')}` };
  if (added.length === 0) return { widened: false, narrowed: true, words: `can no longer be ${listed(removed, 'or')}` };
  return { widened: true, narrowed: true, words: `is ${listed(now, 'or')} now (was ${listed(old, 'or')})` };
}

/** Keywords that describe a value and judge none. */
export const wordKeywords = new Set([
  'title',
  'description',
  'examples',
  'example',
  'default',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Keywords with a comparison of their own, and definitions, which count where they are used. */
export const comparedKeywords: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'properties', 'required', 'anyOf', 'oneOf', 'allOf', '$ref', 'definitions', '$defs'],
  ...limits.map(({ keyword }) => keyword),
]);

function typesOf({ type }: JsonObject): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.map(String) : undefined;
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && isEqual(left, right));
}
