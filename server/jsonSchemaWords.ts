import type { Json, JsonObject } from '../core/json.js';

/**
 * The keywords of JSON Schema as a schema, with descriptions, for completion and hover inside output_schema and input_schema. `x-types` are
 * the types that a keyword applies to (absent: all), `x-dialect` is the only dialect that has it (absent: both).
 */
export const jsonSchemaRef = 'json-schema#';

type Extra = Readonly<Record<string, Json>>;

const schema: JsonObject = { $ref: jsonSchemaRef };
const mapOf = (description: string, extra: Extra = {}): JsonObject => ({
  type: 'object',
  description,
  additionalProperties: schema,
  ...extra,
});
const listOf = (description: string, extra: Extra = {}): JsonObject => ({
  type: 'array',
  description,
  items: schema,
  minItems: 1,
  ...extra,
});
const schemaValue = (description: string, extra: Extra = {}): JsonObject => ({ ...schema, description, ...extra });
const names = (description: string, extra: Extra = {}): JsonObject => ({ type: 'array', description, items: { type: 'string' }, ...extra });
const text = (description: string, extra: Extra = {}): JsonObject => ({ type: 'string', description, ...extra });
const number = (description: string, extra: Extra = {}): JsonObject => ({ type: 'number', description, ...extra });
const count = (description: string, extra: Extra = {}): JsonObject => ({ type: 'integer', minimum: 0, description, ...extra });

const ofStrings: Extra = { 'x-types': ['string'] };
const ofNumbers: Extra = { 'x-types': ['number', 'integer'] };
const ofLists: Extra = { 'x-types': ['array'] };
const ofObjects: Extra = { 'x-types': ['object'] };
const only2020: Extra = { 'x-dialect': '2020-12' };
const only07: Extra = { 'x-dialect': 'draft-07' };

export const jsonSchemaTypes: readonly string[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

const formats: readonly string[] = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'regex',
  'json-pointer',
  'relative-json-pointer',
];

/** Keywords in the order they are usually written. */
const keywords: JsonObject = {
  type: {
    description: 'Type of the value, or a list of types it may have.',
    type: ['string', 'array'],
    enum: jsonSchemaTypes,
    items: { type: 'string', enum: jsonSchemaTypes },
  },
  description: text('What the field is for. Sent to the model with the request: a good description is half the prompt.'),
  enum: {
    description: 'The only values allowed, in the order they are shown to the model. Strings must agree with the enums of the agent.',
    type: 'array',
    items: {},
    minItems: 1,
  },
  properties: mapOf('Fields of the object, by name.', ofObjects),
  required: names('Fields that must be present. Each must be one of properties.', ofObjects),
  additionalProperties: schemaValue(
    'Whether, or with which schema, the object may have fields that properties does not name. Strict response formats need false.',
    ofObjects,
  ),
  items: schemaValue('Schema of every item of the list.', ofLists),
  format: text('Form of the text, checked on every answer.', { ...ofStrings, enum: formats }),
  pattern: text('Regular expression the text must match somewhere; no lookaround, no backreferences.', ofStrings),
  minLength: count('Fewest characters of the text.', ofStrings),
  maxLength: count('Most characters of the text.', ofStrings),
  minimum: number('Smallest number allowed.', ofNumbers),
  maximum: number('Largest number allowed.', ofNumbers),
  exclusiveMinimum: number('The number must be greater than this.', ofNumbers),
  exclusiveMaximum: number('The number must be less than this.', ofNumbers),
  multipleOf: number('The number must be a multiple of this.', { ...ofNumbers, exclusiveMinimum: 0, default: 1 }),
  minItems: count('Fewest items of the list.', ofLists),
  maxItems: count('Most items of the list.', ofLists),
  uniqueItems: { description: 'Whether the items must be unique.', type: 'boolean', default: false, ...ofLists },
  contains: schemaValue('At least one item must match this schema.', ofLists),
  minContains: count('Fewest items that match contains.', { ...ofLists, ...only2020 }),
  maxContains: count('Most items that match contains.', { ...ofLists, ...only2020 }),
  prefixItems: listOf('Schemas of the first items, by place.', { ...ofLists, ...only2020 }),
  additionalItems: schemaValue('Schema of the items after those that a list of items describes.', { ...ofLists, ...only07 }),
  unevaluatedItems: schemaValue('Schema of the items that nothing else describes.', { ...ofLists, ...only2020 }),
  patternProperties: mapOf('Schemas of the fields whose name matches a regular expression.', ofObjects),
  propertyNames: schemaValue('Schema that every field name must match.', ofObjects),
  minProperties: count('Fewest fields of the object.', ofObjects),
  maxProperties: count('Most fields of the object.', ofObjects),
  dependentRequired: {
    description: 'Fields that must be present when another is.',
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    ...ofObjects,
    ...only2020,
  },
  dependentSchemas: mapOf('Schemas the object must match when a field is present.', { ...ofObjects, ...only2020 }),
  dependencies: mapOf('Fields the object must have, or a schema it must match, when a field is present.', { ...ofObjects, ...only07 }),
  unevaluatedProperties: schemaValue('Schema of the fields that nothing else describes.', { ...ofObjects, ...only2020 }),
  const: { description: 'The only value allowed.' },
  default: { description: 'Value that applies when none is given. For fields filled in after the answer use defaults of the agent.' },
  title: text('Short name, for people.'),
  examples: { description: 'Example values.', type: 'array', items: {} },
  $ref: text('The schema at another place: # is the whole schema, #/$defs/name one of its definitions. Only places in this schema.'),
  anyOf: listOf('The value must meet at least one of these.'),
  oneOf: listOf('The value must meet exactly one of these.'),
  allOf: listOf('The value must meet all of these.'),
  not: schemaValue('The value must not meet this.'),
  if: schemaValue('When the value meets this, then must hold, otherwise else.'),
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema; this object is never awaited.
  then: schemaValue('Must hold when if does.'),
  else: schemaValue('Must hold when if does not.'),
  $defs: mapOf('Schemas that $ref can name.'),
  definitions: mapOf('Schemas that $ref can name. In 2020-12 it is called $defs.', only07),
  $schema: text('Dialect of the schema. Default: draft-07, or 2020-12 where one of its keywords is used.', {
    enum: ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'],
  }),
  $id: text('Name of the schema as a URI.'),
  $comment: text('A note for people who read the schema.'),
};

export const jsonSchemaWords: JsonObject = {
  title: 'JSON Schema',
  description: 'A JSON Schema; true allows anything, false nothing.',
  type: ['object', 'boolean'],
  properties: keywords,
};
