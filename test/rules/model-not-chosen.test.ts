import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('model-not-chosen');
const profiles = `--- config/llms/good.json
{ "llm_id": "good", "provider": "offline", "model_name": "offline" }
--- config/llms/azure.json
{ "llm_id": "azure", "provider": "offline", "model_name": "offline" }
`;
const agent = (fields: string) =>
  `--- config/agents/A2/v1.json\n{ "agent_name": "A2", "version": "v1", "system_text": "Help."${fields} }\n`;

test('of several profiles none is taken by its name', async () => {
  const findings = await findingsOf(agent('') + profiles, ['model-not-chosen', 'effective-config-incomplete']);
  expect(findings).toMatchObject([
    {
      code: 'model-not-chosen',
      severity: 'error',
      pointer: '',
      message:
        'A2@v1 names no model and no llm profile, no default is set, and there are several profiles: azure, good. Name one with llm_config_id there, or for all agents under agent_defaults in config/system.json.',
      data: { profiles: ['azure', 'good'] },
    },
  ]);
});

test('a task is told of what its own config takes away, and a persona at work of what it lacks', () =>
  check(`--- config/orchestrations/o.json
{ "entry_team": "t", "teams": { "t": { "tasks": [
  { "name": "own", "agent": "A2@v1", "config": { "llm_config_id": null } },
//          ^^^^^ model-not-chosen The task "own" (A2@v1) names no model
  { "name": "kind", "agent_type": "react", "persona_key": "kind" },
//          ^^^^^^ model-not-chosen The task "kind" names no model
  { "name": "as_is", "agent": "A2@v1" }
] } } }
--- config/personas/kind.json
{ "system_text": "Be kind." }
${agent(', "llm_config_id": "good"')}${profiles}`));

test.each([
  ['the only profile needs no choice', agent('') + profiles.split('--- config/llms/azure')[0]],
  ['a model, a profile or a default is a choice', agent(', "model_name": "m"') + profiles],
  ['as is a default for all', `${agent('')}${profiles}--- config/system.json\n{ "agent_defaults": { "llm_config_id": "good" } }\n`],
  ['a provider may need none', agent(', "provider": "offline"') + profiles],
  ['without any profile, a model is missing', agent('')],
])('%s', async (_name, fixture) => {
  expect(await findingsOf(fixture, ['model-not-chosen'])).toEqual([]);
});
