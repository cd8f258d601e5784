import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('schema-keyword-unknown');

test('misspelt keywords are marked at any depth, with the keyword that was meant', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "output_schema": {
    "type": "object",
    "requierd": ["a"],
//  ^^^^^^^^^^ schema-keyword-unknown "requierd" is not a keyword of JSON Schema, so it has no effect. Did you mean "required"?
    "properties": {
      "a": { "type": "integer", "minimun": 1 },
//                              ^^^^^^^^^ schema-keyword-unknown Did you mean "minimum"?
      "b": { "type": "array", "items": { "type": "string", "patern": "x" } }
//                                                         ^^^^^^^^ schema-keyword-unknown Did you mean "pattern"?
    }
  },
  "input_schema": { "type": "object", "properites": {} }
//                                    ^^^^^^^^^^^^ schema-keyword-unknown Did you mean "properties"?
}`));

test('a keyword for another type is marked once', () =>
  check(`--- config/personas/p.json
{
  "output_schema": {
    "type": "object",
    "properties": {
      "a": { "type": "string", "properties": { "x": {} }, "required": ["x"] },
//                             ^^^^^^^^^^^^ schema-keyword-unknown "properties" has no effect beside "type": "string": it is for objects. Change the type, or remove it.
      "b": { "type": "integer", "minLength": 1 },
//                              ^^^^^^^^^^^ schema-keyword-unknown it is for strings.
      "c": { "type": ["object", "string"], "properties": {}, "minLength": 1 },
      "d": { "type": "string", "items": {}, "format": "date" }
    }
  }
}`));

test("names of fields, values and other tools' words are no keywords", () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "output_schema": {
    "type": "object",
    "x-order": 1,
    "propertyOrdering": ["typ"],
    "unit_of_work": true,
    "properties": { "typ": { "enum": [{ "typ": 1 }], "default": { "item": 1 }, "deprecated": true, "example": { "descripton": 1 } } }
  }
}`));

test('in the parameters of a declared tool', () =>
  check(`--- agentstack.json
{ "skills": { "find": { "description": "Finds.", "parameters": { "type": "object", "properites": { "q": { "type": "string" } } } } } }
//                                                                                 ^^^^^^^^^^^^ schema-keyword-unknown "properites" is not a keyword of JSON Schema, so it has no effect. Did you mean "properties"?
`));

test.each(['openai', 'anthropic'])('one finding instead of many, for %s', async (provider) => {
  const agent = {
    agent_name: 'A2',
    version: 'v1',
    mode: 'Chooser',
    provider,
    model_name: 'm',
    system_text: 'You choose.',
    purpose_text: 'Choose.',
    output_schema: { type: 'object', properites: { tone: { enum: ['a', 'b'] } }, required: ['tone'], additionalProperties: false },
    enums: { tone: ['a', 'b'] },
    defaults: { tone: 'a' },
  };
  const found = await findingsOf(JSON.stringify(agent));
  expect(found.filter(({ code }) => code !== 'unknown-model').map(({ code, severity }) => [code, severity])).toEqual([
    ['schema-keyword-unknown', 'error'],
  ]);
});

test('a keyword that has no effect where it stands', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "output_schema": {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {
      "a": { "type": "array", "prefixItems": [], "additionalItems": false },
//                            ^^^^^^^^^^^^^ schema-keyword-unknown "prefixItems" has no effect: it is a keyword of 2020-12, and "$schema" names an earlier draft. Change the "$schema", or leave it out.
//                                               ^^^^^^^^^^^^^^^^^ schema-keyword-unknown it is for the items after a list of "items".
      "b": { "type": "number", "divisibleBy": 2 },
//                             ^^^^^^^^^^^^^ schema-keyword-unknown it is a keyword of older drafts. Use "multipleOf".
      "c": { "type": "string", "nullable": true, "then": { "minLength": 1 } },
//                             ^^^^^^^^^^ schema-keyword-unknown it is a word of OpenAPI. To allow null, add "null" to "type", and null to "enum".
//                                               ^^^^^^ schema-keyword-unknown "then" has no effect without "if".
      "d": { "type": "string", "format": "date_time" },
//                             ^^^^^^^^ schema-keyword-unknown the format "date_time" is not known, so every text fits. Did you mean "date-time"?
      "e": { "type": ["string", "null"], "nullable": true, "format": "date-time" }
    }
  },
  "input_schema": {
    "type": "object",
    "properties": { "a": { "type": "array", "prefixItems": [{}], "additionalItems": false } }
//                                                               ^^^^^^^^^^^^^^^^^ schema-keyword-unknown in 2020-12: there "prefixItems" lists the first items
  }
}`));
