import { escapeSegment, isObject, type Json, type JsonObject, valueAt } from '../json.js';

export type Dialect = 'draft-07' | '2020-12';

/** The dialect of a schema: the one its `$schema` names, otherwise draft-07, or 2020-12 where it uses a keyword that draft-07 lacks. */
export function dialectOf(schema: Json): Dialect {
  const named = isObject(schema) && typeof schema.$schema === 'string' ? dialectNamed(schema.$schema) : 'unversioned';
  if (named === undefined || named !== 'unversioned') return named ?? 'draft-07';
  return usesLaterKeyword(schema) ? '2020-12' : 'draft-07';
}

/** The dialect that a `$schema` names: each draft is read as a dialect with all of its keywords. Undefined for an unknown meta-schema. */
export function dialectNamed(name: string): Dialect | 'unversioned' | undefined {
  return metaSchemas.get(name.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

const metaSchemas: ReadonlyMap<string, Dialect | 'unversioned'> = new Map([
  ['json-schema.org/schema', 'unversioned'],
  ['json-schema.org/draft-04/schema', 'draft-07'],
  ['json-schema.org/draft-06/schema', 'draft-07'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft/2019-09/schema', '2020-12'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
]);

/** Keywords that judge values and that draft-07 lacks. */
export const laterKeywords: ReadonlySet<string> = new Set([
  ...['prefixItems', 'dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['minContains', 'maxContains', '$dynamicRef', '$recursiveRef'],
]);

/** Keywords whose value is data, and those whose value has the author's names as keys. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
const mapKeywords: ReadonlySet<string> = new Set([
  ...['$defs', 'definitions', 'dependencies', 'dependentRequired', 'dependentSchemas', 'patternProperties', 'properties'],
]);

/** Whether a later keyword is anywhere in a schema, including places that only references lead to. */
function usesLaterKeyword(root: Json): boolean {
  const open: { readonly value: Json; readonly isMap: boolean }[] = [{ value: root, isMap: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    const isSchema = !next.isMap && isObject(next.value);
    for (const [key, value] of Object.entries(next.value)) {
      if (isSchema && laterKeywords.has(key)) return true;
      if (!isSchema || !dataKeywords.has(key)) open.push({ value, isMap: isSchema && mapKeywords.has(key) });
    }
  }
  return false;
}

/** How the value of a keyword holds schemas; `dependency` is a map of schemas or lists of names. */
export type Holds = 'schema' | 'list' | 'map' | 'schema-or-list' | 'dependency';

interface SubschemaKeyword {
  readonly holds: Holds;
  /** Whether its schemas judge the same value as the schema itself. */
  readonly inPlace: boolean;
}

const inside = (holds: Holds): SubschemaKeyword => ({ holds, inPlace: false });
const inPlace = (holds: Holds): SubschemaKeyword => ({ holds, inPlace: true });

const common: readonly [string, SubschemaKeyword][] = [
  ['additionalProperties', inside('schema')],
  ['allOf', inPlace('list')],
  ['anyOf', inPlace('list')],
  ['contains', inside('schema')],
  ['dependencies', inPlace('dependency')],
  ['else', inPlace('schema')],
  ['if', inPlace('schema')],
  ['not', inPlace('schema')],
  ['oneOf', inPlace('list')],
  ['patternProperties', inside('map')],
  ['properties', inside('map')],
  ['propertyNames', inside('schema')],
  ['then', inPlace('schema')],
];

/** The keywords of each dialect that hold schemas; `$defs` and `definitions` apply none and only hold places. */
export const subschemaKeywords: Readonly<Record<Dialect, ReadonlyMap<string, SubschemaKeyword>>> = {
  'draft-07': new Map([...common, ['additionalItems', inside('schema')], ['items', inside('schema-or-list')]]),
  '2020-12': new Map([
    ...common,
    ['dependentSchemas', inPlace('map')],
    ['items', inside('schema')],
    ['prefixItems', inside('list')],
    ['unevaluatedItems', inside('schema')],
    ['unevaluatedProperties', inside('schema')],
  ]),
};

/** A schema inside a schema. */
export interface Place {
  readonly pointer: string;
  readonly schema: JsonObject | boolean;
  /** Base of the `$ref`s in it: an absolute URI without fragment. */
  readonly base: string;
  readonly children: readonly { readonly pointer: string; readonly keyword: string; readonly inPlace: boolean }[];
  /** Only a reference leads here, no keyword: `#/components/schemas/x`. */
  readonly unexpected: boolean;
}

export interface Places {
  readonly all: ReadonlyMap<string, Place>;
  /** The references of a schema: each leads to a place, out of the schema (`remote`), or to nothing (undefined). */
  referencesOf(place: Place): readonly Reference[];
}

export interface Reference {
  readonly keyword: string;
  readonly reference: string;
  readonly target: Place | 'remote' | undefined;
}

/** A dynamic reference is followed as a plain one; where the two may differ, the schema is refused (`findPlaceProblems`). */
const referenceKeywords: Readonly<Record<Dialect, readonly string[]>> = {
  'draft-07': ['$ref'],
  '2020-12': ['$ref', '$dynamicRef', '$recursiveRef'],
};

/** Base of a schema without `$id`. It is made up, so it names nothing outside. */
const noBase = 'schema:/';

/** Every schema in a schema, by pointer, with the names from `$id` and anchors. Stops soon after `most` schemas. */
export function findPlaces(root: JsonObject | boolean, dialect: Dialect, most: number): Places {
  const all = new Map<string, Place>();
  const resources = new Map<string, string>([[noBase, '']]);
  const anchors = new Map<string, string>();
  visit(root, '', noBase, false);
  return { all, referencesOf };

  function visit(schema: JsonObject | boolean, pointer: string, outerBase: string, unexpected: boolean): Place {
    const base = typeof schema === 'boolean' ? outerBase : nameResource(schema, pointer, outerBase);
    const children: { pointer: string; keyword: string; inPlace: boolean }[] = [];
    const place: Place = { pointer, schema, base, children, unexpected };
    all.set(pointer, place);
    if (typeof schema === 'boolean' || all.size > most) return place;
    for (const keyword in schema) {
      const isDefinitions = keyword === '$defs' || keyword === 'definitions';
      const kind = isDefinitions ? inside('map') : subschemaKeywords[dialect].get(keyword);
      if (kind === undefined) continue;
      for (const [child, childPointer] of heldSchemas(kind.holds, schema[keyword], `${pointer}/${keyword}`)) {
        visit(child, childPointer, base, false);
        if (!isDefinitions) children.push({ pointer: childPointer, keyword, inPlace: kind.inPlace });
      }
    }
    return place;
  }

  /** Records the names of a schema, and returns the base of the schemas inside. */
  function nameResource(schema: JsonObject, pointer: string, outerBase: string): string {
    const id = typeof schema.$id === 'string' ? schema.$id : '';
    const isAnchor = id.startsWith('#');
    const base = (isAnchor || id === '' ? outerBase : absolute(id, outerBase)) ?? outerBase;
    if (base !== outerBase) resources.set(base, pointer);
    const names = [isAnchor ? id.slice(1) : undefined, schema.$anchor, schema.$dynamicAnchor];
    for (const name of names) if (typeof name === 'string') anchors.set(`${base}#${name}`, pointer);
    return base;
  }

  function referencesOf(place: Place): readonly Reference[] {
    const { schema } = place;
    const references: Reference[] = [];
    if (typeof schema === 'boolean') return references;
    for (const keyword of referenceKeywords[dialect]) {
      const reference = schema[keyword];
      if (typeof reference === 'string') references.push({ keyword, reference, target: resolve(place, reference) });
    }
    return references;
  }

  function resolve(from: Place, reference: string): Place | 'remote' | undefined {
    const uri = absolute(reference.split('#', 1)[0] ?? '', from.base);
    const resource = uri === undefined ? undefined : resources.get(uri);
    if (uri === undefined || resource === undefined) return 'remote';
    const fragment = decoded(reference.includes('#') ? reference.slice(reference.indexOf('#') + 1) : '');
    if (fragment === undefined) return undefined;
    const isPointer = fragment === '' || fragment.startsWith('/');
    const pointer = isPointer ? resource + fragment : anchors.get(`${uri}#${fragment}`);
    if (pointer === undefined) return undefined;
    return all.get(pointer) ?? visitUnknown(pointer, uri);
  }

  function visitUnknown(pointer: string, base: string): Place | undefined {
    const schema = valueAt(root, pointer);
    return isSchema(schema) ? visit(schema, pointer, base, true) : undefined;
  }
}

/** The schemas that a keyword's value holds, with their pointers. */
export function heldSchemas(holds: Holds, value: Json | undefined, pointer: string): readonly [JsonObject | boolean, string][] {
  if (holds === 'schema' || (holds === 'schema-or-list' && !Array.isArray(value))) return isSchema(value) ? [[value, pointer]] : [];
  if (typeof value !== 'object' || value === null) return [];
  const schemas: [JsonObject | boolean, string][] = [];
  for (const [name, child] of Object.entries(value)) if (isSchema(child)) schemas.push([child, `${pointer}/${escapeSegment(name)}`]);
  return schemas;
}

export function isSchema(value: Json | undefined): value is JsonObject | boolean {
  return typeof value === 'boolean' || isObject(value);
}

function absolute(reference: string, base: string): string | undefined {
  if (reference === '') return base;
  try {
    const url = new URL(reference, base);
    url.hash = '';
    return url.href;
  } catch {
    // A text that is not a URI names nothing.
    return undefined;
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A broken percent escape names nothing.
    return undefined;
  }
}
