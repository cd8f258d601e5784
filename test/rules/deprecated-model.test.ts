import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('deprecated-model');

test('a deprecated model is marked with the date it is shut down', () =>
  check(`{
  "model_name": "gpt-4o-mini-2024-07-18"
//              ^^^^^^^^^^^^^^^^^^^^^^^^ deprecated-model "gpt-4o-mini-2024-07-18" (gpt-4o-mini) is deprecated by its provider: shutdown date 2027-01-14.
}`));

test('a fine-tuned model goes with its base', () =>
  check(`{ "model_name": "ft:gpt-4.1-mini-2025-04-14:personal:a2:XXXX" }
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ deprecated-model (gpt-4.1-mini) is deprecated
`));

test('a current and an unknown model stay', async () => {
  await check(`{ "model_name": "gpt-5.4-mini" }`);
  await check(`{ "model_name": "gpt-99" }`);
});

test('the model of a profile is marked in the profile only', () =>
  check(`{ "llm_config_id": "old" }
--- config/llms/old.json
{ "llm_id": "old", "provider": "anthropic", "model_name": "claude-3-opus-20240229" }
//                                                        ^^^^^^^^^^^^^^^^^^^^^^^^ deprecated-model retired on 2026-01-05
`));

test('the model of a persona is marked on the reference', () =>
  check(`{ "persona_key": "critic" }
//               ^^^^^^^^ deprecated-model
--- config/personas/critic.json
{ "model_name": "o1-mini" }
//              ^^^^^^^^^ related
`));

test('suggestions are no deprecated models, and agentstack.json has the last word', async () => {
  const found = await findingsOf(`{ "model_name": "gpt-5-mini" }`, ['deprecated-model']);
  expect(found[0]?.data).toMatchObject({ model: 'gpt-5-mini', nearest: ['gpt-5.4-mini'] });
  await check(`{ "model_name": "gpt-5-mini" }
--- agentstack.json
{ "models": { "gpt-5-mini": { "deprecated": false } } }
`);
  await check(`{ "model_name": "gpt-5.4" }
//              ^^^^^^^^^ deprecated-model "gpt-5.4" is deprecated by its provider: too expensive for us.
--- agentstack.json
{ "models": { "gpt-5.4": { "deprecated": "too expensive for us" } } }
`);
});
