import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unused-persona');

test('a persona nobody names is marked at its start', () =>
  check(`{ "persona_key": "critic" }
--- config/personas/critic.json
{ "temperature": 0 }
--- config/personas/critique.json
{ "temperature": 0 }
^ unused-persona No agent and no task uses the persona "critique".
`));

test('one that a task, its config or system.json names is used', () =>
  check(`--- config/personas/a.json
{ "temperature": 0 }
--- config/personas/b.json
{ "temperature": 0 }
--- config/personas/c.json
{ "temperature": 0 }
--- config/orchestrations/flow.json
{ "teams": { "x": { "tasks": [{ "name": "one", "persona_key": "a" }, { "name": "two", "agent": "A2@v1", "config": { "persona_key": "b" } }] } } }
--- config/system.json
{ "agent_defaults": { "persona_key": "c" } }
`));

test('a persona that names itself is not used by that', () =>
  check(`--- config/personas/a.json
{ "persona_key": "a" }
^ unused-persona
`));
