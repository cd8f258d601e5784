import { isObject, type Json, type JsonObject } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { type Dialect, laterKeywords } from './schemaPlaces.js';

/** Keywords by the type of the values they judge. */
const byType = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependencies',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
  ],
  array: [
    'items',
    'prefixItems',
    'additionalItems',
    'contains',
    'minContains',
    'maxContains',
    'minItems',
    'maxItems',
    'uniqueItems',
    'unevaluatedItems',
  ],
  string: ['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
} as const;

/** Keywords for values of every type, and those that only describe. */
const general = [
  ...['type', 'enum', 'const', 'format', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'title', 'description', 'default'],
  ...['examples', 'readOnly', 'writeOnly', 'deprecated', 'definitions', '$ref', '$id', '$schema', '$comment', '$defs', '$anchor'],
  ...['$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor', '$vocabulary'],
];

/** Words of OpenAPI, editors and providers, which other tools read. */
const foreign = ['example', 'nullable', 'discriminator', 'xml', 'externalDocs', 'strict', 'name', 'propertyOrdering', 'enumNames', 'order'];

/** Every keyword of draft-07 and 2020-12. */
export const schemaKeywords: readonly string[] = [...general, ...Object.values(byType).flat()];

const schemaWords: ReadonlySet<string> = new Set([...schemaKeywords, ...foreign]);

/** Whether a key of a schema is a keyword, or a word that another tool reads. */
export function isSchemaWord(key: string): boolean {
  return schemaWords.has(key) || key.startsWith('x-') || key.startsWith('x_');
}

/** The formats that are checked: those of ajv-formats. */
export const formats: readonly string[] = [
  ...['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration', 'uri', 'uri-reference', 'uri-template', 'url', 'email'],
  ...['hostname', 'ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'],
  ...['byte', 'int32', 'int64', 'float', 'double', 'password', 'binary'],
];

/** A keyword without effect in its schema. */
export interface IdleKeyword {
  readonly keyword: string;
  /** A sentence about it. */
  readonly message: string;
  /** The type it is for, where the schema names another type. */
  readonly type?: keyof typeof byType;
}

/** The keywords of a schema that have no effect; of those for another type only the first. */
export function findIdleKeywords(schema: JsonObject, dialect: Dialect): readonly IdleKeyword[] {
  const idle: IdleKeyword[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const why = whyIdle(keyword, value, schema, dialect);
    if (why !== undefined) idle.push({ keyword, message: `${JSON.stringify(keyword)} has no effect${why}` });
  }
  const otherType = findOtherType(schema);
  return otherType === undefined || idle.some(({ keyword }) => keyword === otherType.keyword) ? idle : [...idle, otherType];
}

function findOtherType(schema: JsonObject): IdleKeyword | undefined {
  const { type: namedType } = schema;
  if (typeof namedType !== 'string' || namedType === '') return undefined;
  const ownType = namedType === 'integer' ? 'number' : namedType;
  for (const type of ['object', 'array', 'string', 'number'] as const) {
    if (type === ownType) continue;
    const keyword = byType[type].find((name) => Object.hasOwn(schema, name) && !isNothing(schema[name]));
    if (keyword === undefined) continue;
    const words = { object: 'objects', array: 'lists', string: 'strings', number: 'numbers' }[type];
    const message = `${JSON.stringify(keyword)} has no effect beside "type": ${JSON.stringify(namedType)}: it is for ${words}. Change the type, or remove it.`;
    return { keyword, type, message };
  }
  return undefined;
}

/** Keywords of drafts before draft-06, and their successors. */
const replaced: ReadonlyMap<string, string> = new Map([
  ['divisibleBy', 'multipleOf'],
  ['disallow', 'not'],
  ['extends', 'allOf'],
]);

/** Keywords without effect unless another keyword is given. */
const partners: ReadonlyMap<string, string> = new Map([
  ['then', 'if'],
  ['else', 'if'],
  ['minContains', 'contains'],
  ['maxContains', 'contains'],
]);

/** Why a keyword has no effect, as the end of a sentence; undefined where it has an effect. */
function whyIdle(keyword: string, value: Json, schema: JsonObject, dialect: Dialect): string | undefined {
  if (keyword === 'nullable' && value === true && ![schema.type].flat().includes('null'))
    return ': it is a word of OpenAPI. To allow null, add "null" to "type", and null to "enum".';
  if (keyword === 'format' && typeof value === 'string' && !formats.includes(value))
    return `: the format ${JSON.stringify(value)} is not known, so every text fits.${didYouMean(nearestNames(value, formats, 1))}`;
  const newer = replaced.get(keyword);
  if (newer !== undefined) return `: it is a keyword of older drafts. Use ${JSON.stringify(newer)}.`;
  const partner = partners.get(keyword);
  if (partner !== undefined && !Object.hasOwn(schema, partner)) return ` without ${JSON.stringify(partner)}.`;
  if (dialect === 'draft-07' && laterKeywords.has(keyword))
    return ': it is a keyword of 2020-12, and "$schema" names an earlier draft. Change the "$schema", or leave it out.';
  if (keyword !== 'additionalItems') return undefined;
  if (dialect === '2020-12') return ' in 2020-12: there "prefixItems" lists the first items, and "items" is for all others.';
  return Array.isArray(schema.items) ? undefined : ': it is for the items after a list of "items".';
}

/** Empty values, which generators write everywhere without a meaning. */
function isNothing(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0)
  );
}
