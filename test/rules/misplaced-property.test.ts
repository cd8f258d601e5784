import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('misplaced-property', 'unknown-property', 'foreign-name', 'schema');

test('a key of an object below belongs there', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "max_cost": 0.05,
//^^^^^^^^^^ misplaced-property "max_cost" is not read here: it belongs in budget. Move it there.
  "sample_rate": 1
//^^^^^^^^^^^^^ misplaced-property belongs in tracing
}`));

test('a key of the level above belongs there', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "prompts": { "system_prompt": "A2@v1", "temperature": 0.5 }
//                                       ^^^^^^^^^^^^^ misplaced-property belongs in the root of the file
}`));

test('lists are stepped over on the way up', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "execution_plan": { "steps": [{ "name": "a", "llm": "x", "output": "y" }] }
//                                                         ^^^^^^^^ misplaced-property belongs in execution_plan
}`));

test('a field at the root of system.json belongs in a section', () =>
  check(`--- config/system.json
{ "timeout_ms": 5, "agent_defaults": {} }
//^^^^^^^^^^^^ misplaced-property belongs in agent_defaults`));

test('the fix is told where to', async () => {
  const findings = await findingsOf('{ "agent_name": "A2", "version": "v1", "max_cost": 1, "tracing": { "budget": {} } }', [
    'misplaced-property',
  ]);
  expect(findings.map(({ pointer, data }) => [pointer, data])).toEqual([
    ['/max_cost', { to: '/budget/max_cost' }],
    ['/tracing/budget', { to: '/budget' }],
  ]);
});
