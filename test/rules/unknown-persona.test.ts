import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unknown-persona');

test('a persona that does not exist is marked with the nearest', () =>
  check(`{
  "persona_key": "solution_desinger"
//               ^^^^^^^^^^^^^^^^^^^ unknown-persona There is no persona "solution_desinger". Did you mean "solution_designer"?
}
--- config/personas/solution_designer.json
{}
`));

test('an existing persona stays', () =>
  check(`{ "persona_key": "critic" }
--- config/personas/critic.json
{}
`));

test('system.json refers to personas too', () =>
  check(`{}
--- config/system.json
{ "agents": { "A2": { "persona_key": "gone" } } }
//                                   ^^^^^^ unknown-persona
`));

test('tasks refer to personas, and their config does', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [
    { "name": "one", "persona_key": "critc" },
//                                  ^^^^^^^ unknown-persona Did you mean "critic"?
    { "name": "two", "agent": "A2@v1", "config": { "persona_key": "gone" } },
//                                                                ^^^^^^ unknown-persona
    { "name": "three", "persona_key": "critic" }
  ] } }
}
--- config/personas/critic.json
{ "temperature": 0 }
`));
