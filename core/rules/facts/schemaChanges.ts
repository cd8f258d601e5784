import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { isEqual } from '../../jsonText/jsonCompare.js';
import { nearestNames } from '../../names.js';
import { type ObjectPlace, OutputContract, type SchemaPlace } from '../../schema/outputContract.js';
import { listed, quoted } from '../../words.js';

/** An incompatible change of a schema. */
export interface SchemaChange {
  readonly change:
    | 'field-removed'
    | 'field-required'
    | 'field-optional'
    | 'type'
    | 'values-added'
    | 'values-removed'
    | 'limit'
    | 'alternatives';
  /** Dotted name of the field, `[]` for the items of a list; empty for the root. */
  readonly field: string;
  /** Pointer from the root of the new schema; to the parent of something removed. */
  readonly pointer: string;
  readonly target: 'key' | 'value';
  /** What changed and what that breaks, as a sentence. */
  readonly message: string;
  readonly data?: Readonly<Record<string, Json>>;
}

/**
 * The incompatible changes between two schemas. `output`: whatever readers of answers would notice, in both directions, since stored
 * answers are read with the new schema. `input`: whatever callers would be refused for. Descriptions, titles and new optional fields may change.
 */
export function findSchemaChanges(before: JsonObject, after: JsonObject, side: 'output' | 'input'): readonly SchemaChange[] {
  if (isSame(before, after)) return [];
  const comparison = new Comparison(before, after, side);
  comparison.compare({ schema: before, pointer: '' }, { schema: after, pointer: '' }, '');
  return comparison.changes;
}

class Comparison {
  readonly changes: SchemaChange[] = [];
  private readonly before: OutputContract;
  private readonly after: OutputContract;
  private readonly side: 'output' | 'input';
  private readonly seen = new Set<string>();

  constructor(before: JsonObject, after: JsonObject, side: 'output' | 'input') {
    this.before = new OutputContract(before);
    this.after = new OutputContract(after);
    this.side = side;
  }

  compare(beforePlace: SchemaPlace, afterPlace: SchemaPlace, field: string): void {
    const old = plain(this.before, beforePlace);
    const now = plain(this.after, afterPlace);
    // A `$ref` to nowhere is reported by another rule, and a pair seen before means a recursive schema.
    if (old === undefined || now === undefined || this.seen.has(`${old.pointer} ${now.pointer}`)) return;
    this.seen.add(`${old.pointer} ${now.pointer}`);

    this.compareTypes(old, now, field);
    this.compareValues(old.schema, now, field);
    this.compareLimits(old.schema, now, field);
    this.compareFields(old, now, field);
    if (isObject(old.schema.items) && isObject(now.schema.items)) {
      const items = (place: ObjectPlace) => ({ schema: place.schema.items as JsonObject, pointer: `${place.pointer}/items` });
      this.compare(items(old), items(now), `${field}[]`);
    }
    this.compareAlternatives(old.schema, now, field);
  }

  private compareTypes(old: ObjectPlace, now: ObjectPlace, field: string): void {
    const change = findTypeChange(old, now);
    if (change === undefined || (this.side === 'input' && !change.narrowed)) return;
    const pointer = now.schema.type === undefined ? now.pointer : `${now.pointer}/type`;
    this.add('type', field, pointer, now.schema.type === undefined ? 'key' : 'value', `${change.words}: ${this.typeBreaks(change)}`);
  }

  private compareValues(old: JsonObject, now: ObjectPlace, field: string): void {
    const oldValues = valuesOf(old);
    const newValues = valuesOf(now.schema);
    if (oldValues === undefined && newValues === undefined) return;
    const keyword = now.schema.const === undefined ? 'enum' : 'const';
    if (newValues === undefined) {
      if (this.side === 'output')
        this.add('values-added', field, now.pointer, 'key', 'may now be any value: readers meet values they do not know');
      return;
    }
    if (oldValues === undefined) {
      const breaks = this.side === 'output' ? 'answers kept from before may no longer fit' : 'callers that send another value are refused';
      this.add('values-removed', field, `${now.pointer}/${keyword}`, 'key', `is now limited to ${listed(newValues)}: ${breaks}`);
      return;
    }
    const oldTexts = new Set(oldValues.map((value) => JSON.stringify(value)));
    const newTexts = new Set(newValues.map((value) => JSON.stringify(value)));
    const removed = oldValues.filter((value) => !newTexts.has(JSON.stringify(value)));
    if (removed.length > 0) {
      const breaks =
        this.side === 'output' ? 'readers wait for it in vain, and stored answers no longer fit' : 'callers that send it are refused';
      this.add('values-removed', field, `${now.pointer}/${keyword}`, 'key', `can no longer be ${listed(removed, 'or')}: ${breaks}`, {
        values: removed,
      });
    }
    if (this.side === 'input') return;
    newValues.forEach((value, index) => {
      if (oldTexts.has(JSON.stringify(value))) return;
      const pointer = keyword === 'const' ? `${now.pointer}/const` : `${now.pointer}/enum/${index}`;
      this.add('values-added', field, pointer, 'value', `may now be ${quoted(value)}, a value that readers do not know`, {
        values: [value],
      });
    });
  }

  private compareFields(old: ObjectPlace, now: ObjectPlace, field: string): void {
    const oldFields = isObject(old.schema.properties) ? old.schema.properties : {};
    const newFields = isObject(now.schema.properties) ? now.schema.properties : {};
    const oldRequired = requiredOf(old.schema);
    const newRequired = requiredOf(now.schema);
    for (const name in oldFields) {
      const path = field === '' ? name : `${field}.${name}`;
      if (Object.hasOwn(newFields, name)) {
        const place = (around: ObjectPlace, fields: JsonObject) => ({
          schema: fields[name] as Json,
          pointer: `${around.pointer}${pointerOf('properties', name)}`,
        });
        this.compare(place(old, oldFields), place(now, newFields), path);
        if (oldRequired.has(name) && !newRequired.has(name) && this.side === 'output') {
          this.add(
            'field-optional',
            path,
            `${now.pointer}${pointerOf('properties', name)}`,
            'key',
            'is no longer required: readers may find nothing there',
          );
        }
      } else this.fieldRemoved(name, path, { oldFields, newFields, now });
    }
    newRequired.forEach((index, name) => {
      if (oldRequired.has(name)) return;
      const path = field === '' ? name : `${field}.${name}`;
      const isNew = !Object.hasOwn(oldFields, name);
      const breaks = this.side === 'output' ? 'answers kept from before no longer fit' : 'callers that do not send it are refused';
      this.add('field-required', path, `${now.pointer}/required/${index}`, 'value', `is ${isNew ? 'new and' : 'now'} required: ${breaks}`);
    });
  }

  private fieldRemoved(
    name: string,
    path: string,
    { oldFields, newFields, now }: { oldFields: JsonObject; newFields: JsonObject; now: ObjectPlace },
  ): void {
    // Callers may still send it, unless unknown fields are refused.
    if (this.side === 'input' && now.schema.additionalProperties !== false) return;
    const added = Object.keys(newFields).filter((other) => !Object.hasOwn(oldFields, other));
    const renamed = nearestNames(name, added, 1)[0] ?? added.find((other) => isSame(oldFields[name], newFields[other]));
    const what = renamed === undefined ? 'is gone' : `is gone (now ${quoted(renamed)}?)`;
    const breaks = this.side === 'output' ? 'readers of it find nothing' : 'callers that send it are refused';
    const hasFields = now.schema.properties !== undefined;
    this.add('field-removed', path, hasFields ? `${now.pointer}/properties` : now.pointer, 'key', `${what}: ${breaks}`, {
      renamed: renamed ?? null,
    });
  }

  private compareLimits(old: JsonObject, now: ObjectPlace, field: string): void {
    for (const { keyword, upper } of limits) {
      const was = old[keyword];
      const is = now.schema[keyword];
      const wasNumber = typeof was === 'number';
      const isNumber = typeof is === 'number';
      if (was === is || (!wasNumber && !isNumber)) continue;
      const widened = wasNumber && (!isNumber || (upper ? is > was : is < was));
      if (widened !== (this.side === 'output')) continue;
      const what = !isNumber ? `has no ${keyword} any more (was ${was})` : `has ${keyword} ${is}${wasNumber ? ` (was ${was})` : ' now'}`;
      const breaks = this.side === 'output' ? 'readers may meet values they do not expect' : 'callers may be refused';
      this.add('limit', field, isNumber ? `${now.pointer}/${keyword}` : now.pointer, isNumber ? 'value' : 'key', `${what}: ${breaks}`);
    }
  }

  /** Combinations are compared as a whole: the effect of a changed alternative is left to people to judge. */
  private compareAlternatives(old: JsonObject, now: ObjectPlace, field: string): void {
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      if (isSame(old[keyword], now.schema[keyword])) continue;
      const isThere = now.schema[keyword] !== undefined;
      const who = this.side === 'output' ? 'readers' : 'callers';
      this.add(
        'alternatives',
        field,
        isThere ? `${now.pointer}/${keyword}` : now.pointer,
        'key',
        `has other forms than before (${keyword}): ${who} may not know them`,
      );
    }
  }

  private typeBreaks({ widened, narrowed }: { widened: boolean; narrowed: boolean }): string {
    if (this.side === 'input') return 'callers that send what was legal are refused';
    const readers = 'readers meet a type they do not expect';
    const kept = 'answers kept from before may no longer fit';
    return widened && narrowed ? `${readers}, and ${kept}` : widened ? readers : kept;
  }

  private add(
    change: SchemaChange['change'],
    field: string,
    pointer: string,
    target: SchemaChange['target'],
    words: string,
    data?: Readonly<Record<string, Json>>,
  ): void {
    const subject = field === '' ? (this.side === 'output' ? 'The output' : 'The input') : `"${field}"`;
    this.changes.push({ change, field, pointer, target, message: `${subject} ${words}.`, ...(data && { data }) });
  }
}

/** The schema at a place, with `$ref`s followed and `true` as the empty schema. */
function plain(contract: OutputContract, place: SchemaPlace): ObjectPlace | undefined {
  const followed = contract.follow(place);
  if (followed === undefined || followed.schema === false) return undefined;
  return { schema: isObject(followed.schema) ? followed.schema : {}, pointer: followed.pointer };
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  return schema.const === undefined ? undefined : [schema.const];
}

function requiredOf(schema: JsonObject): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  if (Array.isArray(schema.required)) {
    schema.required.forEach((name: Json, index) => {
      if (typeof name === 'string') names.set(name, index);
    });
  }
  return names;
}

const limits = [
  { keyword: 'maximum', upper: true },
  { keyword: 'exclusiveMaximum', upper: true },
  { keyword: 'maxLength', upper: true },
  { keyword: 'maxItems', upper: true },
  { keyword: 'minimum', upper: false },
  { keyword: 'exclusiveMinimum', upper: false },
  { keyword: 'minLength', upper: false },
  { keyword: 'minItems', upper: false },
] as const;

interface TypeChange {
  /** Some values have become legal. */
  readonly widened: boolean;
  /** Some values are no longer legal. */
  readonly narrowed: boolean;
  /** The change, as words that follow the field's name. */
  readonly words: string;
}

/** The change of the `type` of a schema, or undefined when it is equivalent. No type means any. */
function findTypeChange(before: { schema: JsonObject }, after: { schema: JsonObject }): TypeChange | undefined {
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

function typesOf({ type }: JsonObject): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.map(String) : undefined;
}

function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function isSame(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || (left !== undefined && right !== undefined && isEqual(left, right));
}
