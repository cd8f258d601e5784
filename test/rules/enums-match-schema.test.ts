import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('enums-match-schema');

test('equal lists are fine, in any order, nulls of a nullable field left out', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "enum": ["direct", "formal"] },
      "depth": { "type": ["string", "null"], "enum": ["short", "long", null] },
      "topics": { "type": "array", "items": { "enum": ["code", "prose"] } },
      "kind": { "const": "note" }
    }
  },
  "enums": {
    "tone": ["formal", "direct"],
    "depth": ["long", "short"],
    "topics": ["prose", "code"],
    "kind": ["note"]
  }
}`));

test('a value only in enums is marked, with the other side beside it', () =>
  check(`{
  "output_schema": { "properties": { "tone": { "enum": ["direct", "formal"] } } },
//                                                     ^^^^^^^^^^^^^^^^^^^^ related output_schema allows "direct" and "formal".
  "enums": { "tone": ["direct", "casual", "formal"] }
//                              ^^^^^^^^ enums-match-schema The values of "tone" differ: only in enums "casual".
}`));

test('a value only in the schema is marked there', () =>
  check(`{
  "output_schema": { "properties": { "tone": { "enum": ["direct", "formal"] } } },
//                                                                ^^^^^^^^ enums-match-schema only in output_schema "formal"
  "enums": { "tone": ["direct"] }
//                   ^^^^^^^^^^ related enums lists "direct".
}`));

test('a value written differently on both sides is marked in enums', () =>
  check(`{
  "output_schema": { "properties": { "tone": { "enum": ["direct", "formal"] } } },
  "enums": { "tone": ["direct", "formel"] }
//                              ^^^^^^^^ enums-match-schema only in enums "formel", only in output_schema "formal"
}`));

test('several differences mark the field', () =>
  check(`{
  "output_schema": { "properties": { "tone": { "enum": ["a", "b"] } } },
  "enums": { "tone": ["c", "d"] }
//           ^^^^^^ enums-match-schema only in enums "c" and "d", only in output_schema "a" and "b"
}`));

test('letter case counts', () =>
  check(`{
  "output_schema": { "properties": { "tone": { "enum": ["Friend"] } } },
  "enums": { "tone": ["friend"] }
//                    ^^^^^^^^ enums-match-schema only in enums "friend", only in output_schema "Friend"
}`));

test('enums behind local references are found where they are', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "$ref": "#/$defs/tone" },
      "tones": { "type": "array", "items": { "$ref": "#/$defs/tone" } },
      "maybe": { "anyOf": [{ "$ref": "#/$defs/tone" }, { "type": "null" }] },
      "either": { "oneOf": [{ "const": "x" }, { "const": "y" }] }
    },
    "$defs": { "tone": { "enum": ["direct", "formal"] } }
//                                          ^^^^^^^^ enums-match-schema The values of "tones" differ
  },
  "enums": {
    "tone": ["direct", "formal"],
    "tones": ["direct"],
    "maybe": ["direct", "formal", "casual"],
//                                ^^^^^^^^ enums-match-schema only in enums "casual"
    "either": ["y", "z"]
//                  ^^^ enums-match-schema only in enums "z", only in output_schema "x"
  }
}`));

test('references that go in a circle or nowhere are left to other rules', () =>
  check(`{
  "output_schema": {
    "properties": {
      "tone": { "$ref": "#/$defs/a" },
      "mood": { "$ref": "#/$defs/none" },
      "far": { "$ref": "https://example.com/tone.json" }
    },
    "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } }
  },
  "enums": { "tone": ["a"], "mood": ["a"], "far": ["a"] }
}`));

test('names that objects have anyway are ordinary names', () =>
  check(`{
  "output_schema": { "properties": { "__proto__": { "enum": ["a"] }, "constructor": { "enum": ["b"] } } },
  "enums": { "__proto__": ["b"], "constructor": ["b"] }
//                         ^^^ enums-match-schema The values of "__proto__" differ
}`));

test('a schema that comes from a persona is compared with the enums of the agent', () =>
  check(`--- config/agents/A2/v1.json
{
  "agent_name": "A2",
  "version": "v1",
  "persona_key": "shaper",
  "enums": { "tone": ["direct", "formal"] }
//                              ^^^^^^^^ enums-match-schema only in enums "formal"
}
--- config/personas/shaper.json
{
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct"] } } }
//                                                                       ^^^^^^^^^^ related output_schema allows "direct".
}`));

test('enums that come from a persona are compared with the schema of the agent', () =>
  check(`--- config/agents/A2/v1.json
{
  "agent_name": "A2",
  "version": "v1",
  "persona_key": "shaper",
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct", "formal"] } } }
//                                                                                  ^^^^^^^^ enums-match-schema only in output_schema "formal"
}
--- config/personas/shaper.json
{
  "enums": { "tone": ["direct"] }
//                   ^^^^^^^^^^ related enums lists "direct".
}`));

test('a persona that contradicts itself is reported once, in its own file', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "shaper" }
--- config/personas/shaper.json
{
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct"] } } },
  "enums": { "tone": ["formal"] }
//                    ^^^^^^^^ enums-match-schema
}`));

test('a schema of the system and enums of a persona meet in the agent that joins them', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "shaper" }
//                                                    ^^^^^^^^ enums-match-schema only in enums "formal", only in output_schema "direct"
--- config/personas/shaper.json
{ "enums": { "tone": ["formal"] } }
--- config/system.json
{ "agents": { "A2": { "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct"] } } } } } }`));

test('places are right with CRLF and a BOM', () =>
  check(
    `{
  "output_schema": { "properties": { "tone": { "enum": ["direct"] } } },
  "enums": { "tone": ["direct", "casual"] }
//                              ^^^^^^^^ enums-match-schema only in enums "casual"
}`,
    { eol: '\r\n', start: '\uFEFF' },
  ));

test('the values behind an anchor and behind an id are compared like those behind a pointer', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": { "tone": { "$ref": "#tone" }, "depth": { "$ref": "depth.json" } },
    "$defs": {
      "t": { "$anchor": "tone", "type": "array", "items": { "enum": ["direct", "formal"] } },
//                                                                             ^^^^^^^^ enums-match-schema only in output_schema "formal"
      "d": { "$id": "depth.json", "enum": ["short", "long"] }
//                                        ^^^^^^^^^^^^^^^^^ related output_schema allows "short" and "long".
    }
  },
  "enums": { "tone": ["direct"], "depth": ["short", "long", "endless"] }
//                   ^^^^^^^^^^ related enums lists "direct".
//                                                          ^^^^^^^^^ enums-match-schema only in enums "endless"
}`));
