import type { CompletionCase } from './case.js';

const inSchema = (inner: string) => `{ "output_schema": ${inner} }`;

/** JSON Schema inside output_schema and input_schema. */
export const schemaCases: readonly CompletionCase[] = [
  {
    name: 'type first',
    text: inSchema('{ | }'),
    first: ['type', 'description', 'enum'],
    take: 'type',
    after: inSchema('{ "type": "object" }'),
  },
  {
    name: 'the type of a field is chosen',
    text: inSchema('{ "properties": { "a": { | } } }'),
    take: 'type',
    after: inSchema('{ "properties": { "a": { "type": "string" } } }'),
  },
  {
    name: 'keywords that fit the type of a text',
    text: inSchema('{ "properties": { "a": { "type": "string", | } } }'),
    offers: ['format', 'minLength', 'pattern', 'enum', 'description', '$ref'],
    lacks: ['minimum', 'items', 'properties', 'required', 'type', 'prefixItems'],
    take: 'maxLength',
    after: inSchema('{ "properties": { "a": { "type": "string", "maxLength": 0 } } }'),
  },
  {
    name: 'keywords of one of several types',
    text: inSchema('{ "properties": { "a": { "type": ["integer", "null"], | } } }'),
    offers: ['minimum', 'maximum'],
    lacks: ['minLength', 'items'],
  },
  {
    name: 'keywords of an object',
    text: inSchema('{ "type": "object", | }'),
    first: ['properties', 'required', 'additionalProperties'],
    lacks: ['items', 'minLength'],
  },
  {
    name: 'draft-07 has no prefixItems',
    text: inSchema('{ "type": "array", | }'),
    offers: ['items', 'additionalItems', 'definitions'],
    lacks: ['prefixItems', 'unevaluatedItems'],
  },
  {
    name: '2020-12 has prefixItems',
    text: inSchema('{ "$schema": "https://json-schema.org/draft/2020-12/schema", "properties": { "a": { "type": "array", | } } }'),
    offers: ['prefixItems', '$defs'],
    lacks: ['additionalItems', 'definitions'],
  },
  {
    name: 'types',
    text: inSchema('{ "type": "|" }'),
    only: ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'],
    take: 'object',
    after: inSchema('{ "type": "object" }'),
  },
  { name: 'types in a list', text: inSchema('{ "type": ["string", "|"] }'), offers: ['null', 'number'] },
  {
    name: 'formats',
    text: inSchema('{ "type": "string", "format": "da|" }'),
    offers: ['date-time', 'uuid', 'email'],
    take: 'date',
    after: inSchema('{ "type": "string", "format": "date" }'),
  },
  {
    name: 'an open quote',
    text: '{\n  "output_schema": {\n    "type": "obj|\n  }\n}',
    take: 'object',
    after: '{\n  "output_schema": {\n    "type": "object"\n  }\n}',
  },
  {
    name: 'places a $ref can lead to',
    text: inSchema('{ "$defs": { "a b": {}, "c/d": {} }, "properties": { "x": { "$ref": "|" } } }'),
    only: ['#/$defs/a%20b', '#/$defs/c~1d', '#'],
  },
  {
    name: 'a $ref half typed',
    text: inSchema('{ "definitions": { "label": {} }, "properties": { "x": { "$ref": "#/d| } } }'),
    take: '#/definitions/label',
    staysBroken: true,
    after: inSchema('{ "definitions": { "label": {} }, "properties": { "x": { "$ref": "#/definitions/label" } } }'),
  },
  {
    name: 'required: fields that are described and not yet listed',
    text: inSchema('{ "properties": { "a": {}, "b": {} }, "required": ["a", "|"] }'),
    only: ['b'],
    take: 'b',
    after: inSchema('{ "properties": { "a": {}, "b": {} }, "required": ["a", "b"] }'),
  },
  {
    name: 'required of an object inside',
    text: inSchema('{ "properties": { "a": { "properties": { "x": {} }, "required": [|] } } }'),
    only: ['x'],
  },
  {
    name: 'fields that are required and not yet described',
    text: inSchema('{ "required": ["a", "b"], "properties": { "a": {}, | } }'),
    first: ['b'],
    take: 'b',
    after: inSchema('{ "required": ["a", "b"], "properties": { "a": {}, "b": {\n  "type": "string",\n  "description": ""\n} } }'),
  },
  {
    name: 'fields of enums, with their values',
    text: '{ "enums": { "tone": ["x", "y"] }, "output_schema": { "properties": { | } } }',
    first: ['tone'],
    take: 'tone',
    after:
      '{ "enums": { "tone": ["x", "y"] }, "output_schema": { "properties": { "tone": {\n  "type": "string",\n  "enum": ["x", "y"],\n  "description": ""\n} } } }',
  },
  {
    name: 'values of an enum from enums',
    text: '{ "enums": { "tone": ["x", "y"] }, "output_schema": { "properties": { "tone": { "enum": ["x", "|"] } } } }',
    only: ['y'],
  },
  {
    name: 'values of a multi-choice enum from enums',
    text: '{ "enums": { "tone": ["x"] }, "output_schema": { "properties": { "tone": { "items": { "enum": ["|"] } } } } }',
    only: ['x'],
  },
  {
    name: 'a default from the enum beside it',
    text: inSchema('{ "properties": { "a": { "enum": ["x", 2], "default": | } } }'),
    first: ['x', '2'],
  },
  { name: 'additionalProperties', text: inSchema('{ "additionalProperties": | }'), offers: ['true', 'false', '{ }'] },
  { name: 'uniqueItems', text: inSchema('{ "uniqueItems": | }'), first: ['true', 'false'] },
  {
    name: 'the dialect',
    text: inSchema('{ "$schema": "|" }'),
    only: ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'],
  },
  { name: 'a field called like one of ours is none', text: inSchema('{ "properties": { "persona_key": { "default": "|" } } }'), only: [] },
  {
    name: 'input_schema too',
    text: '{ "input_schema": { "type": "object", "properties": { "a": { "type": "|" } } } }',
    offers: ['string'],
  },
  {
    name: 'the schema of a task',
    path: 'config/orchestrations/flow.json',
    text: '{ "teams": { "t": { "tasks": [{ "name": "a", "config": { "output_schema": { "type": "|" } } }] } } }',
    offers: ['object'],
  },
  {
    name: 'an enum field brings its entry in enums',
    text: '{\n  "output_schema": {\n    "type": "object",\n    "properties": {\n      |\n    }\n  },\n  "enums": {\n    "a": ["x"]\n  }\n}',
    take: 'enum field',
    after:
      '{\n  "output_schema": {\n    "type": "object",\n    "properties": {\n      "field": {\n        "type": "string",\n        "enum": ["first", "second"],\n        "description": ""\n      }\n    }\n  },\n  "enums": {\n    "a": ["x"],\n    "field": ["first", "second"]\n  }\n}',
  },
  {
    name: 'an enum field makes enums where there are none',
    text: '{\n  "output_schema": {\n    "type": "object",\n    "properties": {\n      "tone|"\n    }\n  },\n  "mode": "Chooser"\n}',
    take: 'tone (enum field)',
    after:
      '{\n  "output_schema": {\n    "type": "object",\n    "properties": {\n      "tone": {\n        "type": "string",\n        "enum": ["first", "second"],\n        "description": ""\n      }\n    }\n  },\n  "enums": {\n    "tone": ["first", "second"]\n  },\n  "mode": "Chooser"\n}',
  },
  {
    name: 'an enum field in enums on one line',
    text: '{ "enums": {}, "output_schema": { "properties": { | } } }',
    take: 'enum field',
    after:
      '{ "enums": { "field": ["first", "second"] }, "output_schema": { "properties": { "field": {\n  "type": "string",\n  "enum": ["first", "second"],\n  "description": ""\n} } } }',
  },
  {
    name: 'no forms for a field that has its schema',
    text: '{ "enums": { "tone": ["x"] }, "output_schema": { "properties": { "to|": { "type": "string" } } } }',
    only: ['tone'],
    take: 'tone',
    after: '{ "enums": { "tone": ["x"] }, "output_schema": { "properties": { "tone": { "type": "string" } } } }',
  },
];
