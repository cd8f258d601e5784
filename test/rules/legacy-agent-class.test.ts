import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

test('agent_class is marked, with the persona of that name, and is nothing else besides', () =>
  checkRule(
    'legacy-agent-class',
    'unknown-property',
    'misplaced-property',
    'schema',
  )(`--- config/orchestrations/flow.json
{
  "name": "flow",
  "entry_team": "a",
  "teams": {
    "a": {
      "name": "A",
      "tasks": [
        { "name": "one", "agent_class": "c4h.agents.SolutionDesignerAgent" },
//                       ^^^^^^^^^^^^^ legacy-agent-class Use agent_type and persona_key: what an agent does is data. The persona "solution_designer" has a similar name.
        { "name": "two", "agent_class": "Coder", "persona_key": "solution_designer" }
//                       ^^^^^^^^^^^^^ legacy-agent-class Remove it
      ],
      "routing": { "default": null }
    }
  }
}
--- config/personas/solution_designer.json
{ "temperature": 0 }
`));

test('the data say what to put in its place', async () => {
  const found = await findingsOf(
    `--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "agent_class": "Critic" }, { "agent_class": 3 }, { "agent": "A@v1", "agent_class": "Critic" }] } } }
--- config/personas/critic.json
{}
`,
    ['legacy-agent-class'],
  );
  expect(found.map(({ data }) => data)).toEqual([
    { found: 'Critic', nearest: ['critic'], remove: false, agent_type: 'single_shot' },
    { found: 3, nearest: [], remove: false, agent_type: 'single_shot' },
    { found: 'Critic', nearest: ['critic'], remove: true, agent_type: 'single_shot' },
  ]);
});
