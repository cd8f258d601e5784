import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('chooser-needs-enums');

test('a Chooser with nothing to choose is marked on its mode', () =>
  check(`{
  "mode": "Chooser",
//        ^^^^^^^^^ chooser-needs-enums no field of output_schema has an enum
  "output_schema": { "type": "object", "properties": { "note": { "type": "string" } } }
}`));

test('free text among its fields is marked on each field', () =>
  check(`{
  "mode": "Chooser",
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "enum": ["direct", "formal"] },
      "topics": { "type": "array", "items": { "$ref": "#/$defs/topic" } },
      "score": { "type": "number" },
      "day": { "type": "string", "format": "date" },
      "code": { "type": "string", "pattern": "^[A-Z]+$" },
      "reason": { "type": "string", "maxLength": 200 },
//    ^^^^^^^^ chooser-needs-enums "reason" is free text
      "hint": { "type": ["string", "null"] },
//    ^^^^^^ chooser-needs-enums
      "notes": { "type": "array", "items": { "type": "string" } }
//    ^^^^^^^ chooser-needs-enums
    },
    "$defs": { "topic": { "enum": ["code", "prose"] } }
  },
  "enums": { "tone": ["direct", "formal"], "topics": ["code", "prose"] }
}`));

test('a field that only enums limits is left to enum-missing', () =>
  check(`{
  "mode": "Chooser",
  "output_schema": { "type": "object", "properties": { "tone": { "type": "string" } } },
  "enums": { "tone": ["direct"] }
}`));

test('other modes may write', () =>
  check(`{ "mode": "Writer", "output_schema": { "type": "object", "properties": { "note": { "type": "string" } } } }`));

test('a Chooser without a schema is incomplete, which is said elsewhere', () => check(`{ "mode": "Chooser" }`));

test('a mode and a schema from two files meet in the agent', () =>
  check(`--- config/personas/shaper.json
{ "mode": "Chooser", "enums": { "tone": ["a"] } }
--- config/agents/A2/v1.json
{
  "agent_name": "A2",
  "version": "v1",
  "persona_key": "shaper",
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["a"] }, "note": { "type": "string" } } }
//                                                                                ^^^^^^ chooser-needs-enums
}
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "persona_key": "shaper", "mode": "Writer" }`));

test('nothing to choose is an error, free text a warning', async () => {
  const of = async (properties: object) => {
    const text = JSON.stringify({ mode: 'Chooser', output_schema: { type: 'object', properties } });
    return (await findingsOf(text, ['chooser-needs-enums'])).map(({ severity }) => severity);
  };
  expect(await of({ note: { type: 'string' } })).toEqual(['error']);
  expect(await of({ note: { type: 'string' }, tone: { enum: ['a'] } })).toEqual(['warning']);
});
