import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('default-unknown-field');

test('a default for no field is marked, with the nearest fields', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "tone": { "type": "string" } } },
  "defaults": { "tone": "direct", "tome": "direct" }
//                                ^^^^^^ default-unknown-field There is no field "tome" in output_schema to give a default to. Did you mean "tone"?
}`));

test('a schema that welcomes other fields in so many words is left alone', () =>
  check(`--- config/agents/open/v1.json
{ "output_schema": { "type": "object", "properties": {}, "additionalProperties": true }, "defaults": { "a": 1 } }
--- config/agents/typed/v1.json
{ "output_schema": { "type": "object", "additionalProperties": { "type": "number" } }, "defaults": { "a": 1 } }
--- config/agents/patterned/v1.json
{ "output_schema": { "type": "object", "patternProperties": { "^x_": {} } }, "defaults": { "x_a": 1 } }
--- config/agents/combined/v1.json
{ "output_schema": { "type": "object", "allOf": [{ "properties": { "a": {} } }] }, "defaults": { "a": 1 } }
--- config/agents/closed/v1.json
{ "output_schema": { "type": "object", "properties": {}, "additionalProperties": false }, "defaults": { "a": 1 } }
//                                                                                                      ^^^ default-unknown-field
--- config/agents/bare/v1.json
{ "defaults": { "a": 1 } }`));

test('defaults and schema may come from two files', () =>
  check(
    `--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "shaper", "defaults": { "mood": 1 } }
//                                                                            ^^^^^^ default-unknown-field
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "persona_key": "shaper" }
--- config/agents/A4/v1.json
{ "agent_name": "A4", "version": "v1", "persona_key": "giver", "output_schema": { "type": "object" } }
//                                                    ^^^^^^^ default-unknown-field
--- config/personas/giver.json
{ "defaults": { "tone": 1 } }
//              ^^^^^^^^ related The default is given here.
--- config/personas/shaper.json
{ "output_schema": { "type": "object", "properties": { "tone": { "type": "string" } } } }`.replace('^^^^^^^^ related', '        ^ related'),
  ));

test('a field called __proto__ is a field like any other', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "__proto__": { "type": "string" } } },
  "defaults": { "__proto__": "a", "constructor": "b" }
//                                ^^^^^^^^^^^^^ default-unknown-field
}`));
