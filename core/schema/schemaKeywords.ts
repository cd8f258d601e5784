import { isObject, type Json, type JsonObject } from '../json.js';

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

/** Words of OpenAPI, editors and providers, which tools beside JSON Schema read. */
const foreign = ['example', 'nullable', 'discriminator', 'xml', 'externalDocs', 'strict', 'name', 'propertyOrdering', 'enumNames', 'order'];

/** Every keyword of draft-07 and 2020-12. */
export const schemaKeywords: readonly string[] = [...general, ...Object.values(byType).flat()];

const known: ReadonlySet<string> = new Set([...schemaKeywords, ...foreign]);

/** Whether a key of a schema is a keyword, or a word that some other tool is known to read. */
export function isSchemaWord(key: string): boolean {
  return known.has(key) || key.startsWith('x-') || key.startsWith('x_');
}

/** A keyword that judges nothing, since values of the schema's one type are none of those it is for. */
export interface IdleKeyword {
  readonly keyword: string;
  /** The type it is for. */
  readonly type: keyof typeof byType;
}

/** The first keyword of a schema that is for another type than the one it names. */
export function findIdleKeyword(schema: JsonObject): IdleKeyword | undefined {
  const { type: given } = schema;
  if (typeof given !== 'string' || given === '') return undefined;
  const ownType = given === 'integer' ? 'number' : given;
  for (const type of ['object', 'array', 'string', 'number'] as const) {
    if (type === ownType) continue;
    const keyword = byType[type].find((name) => Object.hasOwn(schema, name) && !isNothing(schema[name]));
    if (keyword !== undefined) return { keyword, type };
  }
  return undefined;
}

/** What generators write everywhere and mean nothing by. */
function isNothing(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0)
  );
}
