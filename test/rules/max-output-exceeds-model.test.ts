import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('max-output-exceeds-model');

test('more output than the model can give is marked on the number', () =>
  check(`{
  "model_name": "gpt-4.1-mini",
  "max_output_tokens": 40000
//                     ^^^^^ max-output-exceeds-model max_output_tokens is 40000, but "gpt-4.1-mini" gives at most 32768.
}`));

test('the very limit is allowed', () => check(`{ "model_name": "gpt-4.1-mini", "max_output_tokens": 32768 }`));

test('a model without a known limit has none', () => check(`{ "model_name": "gpt-6.1-sol", "max_output_tokens": 900000 }`));

test('a profile is judged by itself', () =>
  check(`{ "llm_config_id": "claude" }
--- config/llms/claude.json
{ "llm_id": "claude", "provider": "anthropic", "model_name": "claude-haiku-4-5-20251001", "max_output_tokens": 64001 }
//                                                                                                             ^^^^^ max-output-exceeds-model "claude-haiku-4-5-20251001" (claude-haiku-4-5) gives at most 64000.
`));

test('the model of an agent against the limit of its profile is marked on the reference', () =>
  check(`{ "llm_config_id": "openai", "model_name": "gpt-4o" }
//                 ^^^^^^^^ max-output-exceeds-model
--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "gpt-5.4", "max_output_tokens": 20000 }
//                                                                  ^^^^^ related
`));

test('the limit of a user model counts', async () => {
  const [finding] = await findingsOf(
    `{ "model_name": "gpt-4.1-mini", "max_output_tokens": 200 }
--- agentstack.json
{ "models": { "gpt-4.1-mini": { "max_output_tokens": 100 } } }
`,
    ['max-output-exceeds-model'],
  );
  expect(finding?.data).toMatchObject({ limit: 100, nearest: [100], model: 'gpt-4.1-mini' });
});
