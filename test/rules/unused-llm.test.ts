import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unused-llm');
const profile = (id: string) => `--- config/llms/${id}.json
{ "llm_id": "${id}", "model_name": "gpt-5.4-mini" }
`;

test('a profile nobody names is marked on its id', () =>
  check(`{ "model_name": "gpt-5.4" }
--- config/llms/openai.json
{ "llm_id": "openai" }
//          ^^^^^^^^ unused-llm No agent uses the llm profile "openai".
`));

test('a profile named by an agent, a persona or system.json is used', async () => {
  await check(`{ "llm_config_id": "openai" }\n${profile('openai')}`);
  await check(`{ "model_name": "x" }\n${profile('openai')}--- config/personas/critic.json
{ "llm_config_id": "openai" }
`);
  await check(`{ "model_name": "x" }\n${profile('openai')}--- config/system.json
{ "agent_defaults": { "llm_config_id": "openai" } }
`);
});

test('the only profile is used by every agent that names neither model nor profile', () => check(`{}\n${profile('a')}`));
