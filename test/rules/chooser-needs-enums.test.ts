import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('chooser-needs-enums');

test('a Chooser with nothing to choose is marked on its mode', () =>
  check(`{
  "mode": "Chooser",
//        ^^^^^^^^^ chooser-needs-enums no field of output_schema has an enum
  "output_schema": { "type": "object", "properties": { "note": { "type": "string" } } }
}`));

test('free text among its fields is filled', () =>
  check(`{
  "mode": "Chooser",
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct", "formal"] }, "reason": { "type": "string" } } }
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
{ "mode": "Chooser" }
--- config/agents/A2/v1.json
{
  "agent_name": "A2",
  "version": "v1",
  "persona_key": "shaper",
  "output_schema": { "type": "object", "properties": { "note": { "type": "string" } } }
//^^^^^^^^^^^^^^^ chooser-needs-enums no field of output_schema has an enum
}
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "persona_key": "shaper", "mode": "Writer" }`));
