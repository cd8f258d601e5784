import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('enum-missing', 'enum-empty');

test('an enum of the schema that enums lacks is marked on its field', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "enum": ["direct", "formal", null] },
      "depth": { "enum": ["short", "long"] },
//    ^^^^^^^ enum-missing enums lacks "depth", which output_schema limits to "short" or "long".
      "topics": { "type": "array", "items": { "enum": ["code"] } },
//    ^^^^^^^^ enum-missing
      "score": { "enum": [1, 2, 3] },
      "free": { "type": "string" }
    }
  },
  "enums": { "tone": ["direct", "formal"] }
}`));

test('without enums they are what the schema says', () =>
  check(`{ "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct"] } } } }`));

test('an entry whose field has no enum of strings is marked', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "tone": { "type": "string" }, "score": { "enum": [1, 2] } } },
  "enums": {
    "tone": ["direct"],
//  ^^^^^^ enum-missing enums lists values for "tone", but output_schema gives that field no enum of strings.
    "score": ["1", "2"]
//  ^^^^^^^ enum-missing
  }
}`));

test('an entry for no field is marked, with the nearest fields', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct"] } } },
  "enums": { "tone": ["direct"], "tome": ["direct"] }
//                               ^^^^^^ enum-missing enums lists values for "tome", which is not a field of output_schema. Did you mean "tone"?
}`));

test('an empty entry is said to be empty, once', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "tone": { "type": "string" } } },
  "enums": { "tone": [] }
//                   ^^ enum-empty
}`));

test('fields that cannot be known are left alone', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": { "tone": { "$ref": "#/nowhere" }, "depth": { "$ref": "https://example.com/x.json" } }
  },
  "enums": { "tone": ["direct"], "depth": ["short"] }
}
--- config/agents/A3/v1.json
{ "output_schema": { "allOf": [{ "$ref": "#/$defs/a" }] }, "enums": { "tone": ["direct"] } }
--- config/agents/A4/v1.json
{ "enums": { "tone": ["direct"] } }`));

test('fields behind a reference at the root are fields', () =>
  check(`{
  "output_schema": {
    "$ref": "#/definitions/answer",
    "definitions": { "answer": { "type": "object", "properties": { "tone": { "enum": ["direct"] } } } }
//                                                                 ^^^^^^ enum-missing
  },
  "enums": { "mood": ["direct"] }
//           ^^^^^^ enum-missing
}`));

test('a persona may leave enums to its agents, and the agent is told where both meet', () =>
  check(`--- config/personas/shaper.json
{ "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct"] }, "depth": { "enum": ["short"] } } } }
//                                                                                                        ^^^^^^^^^ related output_schema allows "short".
--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "shaper", "enums": { "tone": ["direct"] } }
//                                                              ^^^^^^^ enum-missing enums lacks "depth"
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "persona_key": "shaper", "enums": { "tone": ["direct"], "depth": ["short"] } }`));

test('a persona with enums is complete by itself', () =>
  check(`--- config/personas/shaper.json
{
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct"] }, "depth": { "enum": ["short"] } } },
//                                                                                     ^^^^^^^ enum-missing
  "enums": { "tone": ["direct"] }
}
--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "shaper" }`));

test('the fix knows the values', async () => {
  const [finding] = await findingsOf('{ "output_schema": { "properties": { "tone": { "enum": ["a", "b", "a"] } } }, "enums": {} }', [
    'enum-missing',
  ]);
  expect(finding?.data).toEqual({ field: 'tone', missing: 'enums', values: ['a', 'b'] });
});
