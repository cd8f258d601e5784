import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('default-fits-schema', 'default-unknown-field');

test('a default outside the list of its field names the nearest value', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "required": ["tone", "depth"],
    "properties": {
      "tone": { "type": "string", "enum": ["direct", "formal"] },
//    ^^^^^^ related "tone" is described here.
      "depth": { "type": "string", "enum": ["short", "long"] }
    }
  },
  "defaults": { "tone": "formel", "depth": "long" }
//                      ^^^^^^^^ default-fits-schema Did you mean "formal"?
}`));

test('types, ranges and inner values are judged', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "score": { "type": "number", "maximum": 1 },
      "count": { "type": "integer" },
      "tags": { "type": "array", "items": { "type": "string", "minLength": 2 } },
      "maybe": { "anyOf": [{ "$ref": "#/$defs/name" }, { "type": "null" }] },
      "name": { "$ref": "#/$defs/name" }
    },
    "$defs": { "name": { "type": "string", "pattern": "^[a-z]+$" } }
  },
  "defaults": {
    "score": 5,
//           ^ default-fits-schema defaults.score must be at most 1, not 5.
    "count": "3",
//           ^^^ default-fits-schema defaults.count must be a whole number, not "3".
    "tags": ["ok", "x"],
//                 ^^^ default-fits-schema defaults.tags[1] must have at least 2 characters, not "x".
    "maybe": null,
    "name": "A"
//          ^^^ default-fits-schema defaults.name
  }
}`));

test('what concerns the answer as a whole is no fault of a default', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "minProperties": 3,
    "required": ["a", "b"],
    "additionalProperties": false,
    "properties": { "a": { "type": "string", "minLength": 1 }, "b": { "type": "string" } },
    "if": { "properties": { "a": { "const": "x" } } },
    "then": { "properties": { "b": { "const": "y" } } }
  },
  "defaults": { "b": "z" }
}`));

test('the default of a property is judged as well', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "enum": ["direct", "formal"], "default": "formel" },
//                                                       ^^^^^^^^ default-fits-schema The default of "tone" is "formel", but must be
      "list": { "type": "array", "items": { "type": "number" }, "default": [1, "2"] }
//                                                                             ^^^ default-fits-schema
    }
  }
}`));

test('a value that a variable decides is left alone', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "region": { "enum": ["eu", "us"] } } },
  "defaults": { "region": "\${REGION}" }
}`));

test('a schema that is invalid itself is left to its own rule', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "a": { "type": "strng" } } },
  "defaults": { "a": 1 }
}`));

test('a field whose schema is broken hides no other', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "a": { "type": "string", "pattern": "(?=x)" },
      "b": { "$ref": "#/nowhere" },
      "c": { "type": "string", "format": "date" }
    },
    "$defs": { "d": { "pattern": "(?=x)" } }
  },
  "defaults": { "a": "x", "b": "x", "c": "x" }
//                                       ^^^ default-fits-schema
}`));

test('defaults of an agent are judged by the schema of its persona', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "shaper", "defaults": { "tone": "formel" } }
//                                                                                    ^^^^^^^^ default-fits-schema
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "persona_key": "shaper" }
--- config/agents/A4/v1.json
{
  "agent_name": "A4",
  "version": "v1",
  "persona_key": "giver",
//               ^^^^^^^ default-fits-schema
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct"] } } }
//                                                     ^^^^^^ related "tone" is described here.
}
--- config/personas/giver.json
{ "defaults": { "tone": "formal" } }
//                      ^^^^^^^^ related The default is given here.
--- config/personas/shaper.json
{ "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct", "formal"], "default": "formil" } } } }
//                                                     ^^^^^^ related "tone" is described here.
//                                                                                                        ^^^^^^^^ default-fits-schema`));

test('a field called __proto__ is judged like any other', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "__proto__": { "type": "number" } } },
  "defaults": { "__proto__": "x" }
//                           ^^^ default-fits-schema
}`));

test('the fix knows the nearest value', async () => {
  const fixture = '{ "output_schema": { "properties": { "tone": { "enum": ["formal"] } } }, "defaults": { "tone": "formel" } }';
  const [finding] = await findingsOf(fixture, ['default-fits-schema']);
  expect(finding?.data).toEqual({ field: 'tone', keyword: 'enum', replacement: 'formal', text: '"formal"', fitting: ['formal'] });
});
