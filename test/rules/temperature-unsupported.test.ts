import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('temperature-unsupported');

test('a temperature and a top_p that a reasoning model refuses are marked on their values', () =>
  check(`{
  "model_name": "o3-mini-2025-01-31",
  "temperature": 0.2,
//               ^^^ temperature-unsupported "o3-mini-2025-01-31" (o3-mini) does not take temperature: 0.2 is left out of the request. Remove it.
  "top_p": 0.5
//         ^^^ temperature-unsupported does not take top_p
}`));

test('the value that is the default anyway stays', () => check(`{ "model_name": "o3", "temperature": 1, "top_p": 1 }`));

test('a model that takes a temperature, an unknown model and a model named by a variable stay', async () => {
  await check(`{ "model_name": "gpt-5.4", "temperature": 0.2 }`);
  await check(`{ "model_name": "my-o3", "temperature": 0.2 }`);
  await check(`{ "model_name": "\${MODEL:-o3}", "temperature": 0.2 }`);
});

test('built-in defaults are nobody’s fault', () => check(`{ "model_name": "o3", "agent_type": "react" }`));

test('a model that takes it without reasoning says so, and is left alone then', async () => {
  await check(`--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "gpt-6-luna", "temperature": 0.2 }
//                                                               ^^^ temperature-unsupported It is taken with "options": {"reasoning_effort": "none"}.
`);
  await check(`--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "gpt-6-luna", "temperature": 0.2, "options": { "reasoning_effort": "none" } }
`);
});

test('the temperature of a profile is marked in the profile, not in every agent above it', () =>
  check(`{ "llm_config_id": "openai" }
--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "o3", "temperature": 0.2 }
//                                                       ^^^ temperature-unsupported
`));

test('a temperature pulled in with a persona is marked on the reference', () =>
  check(`{ "model_name": "o3", "persona_key": "critic" }
//                                   ^^^^^^^^ temperature-unsupported temperature: 0.7
--- config/personas/critic.json
{ "temperature": 0.7 }
//               ^^^ related temperature is given here.
`));

test('a temperature of the agent against the model of its profile is marked in the agent', () =>
  check(`{ "llm_config_id": "openai", "temperature": 0 }
//                                          ^ temperature-unsupported
--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "gpt-5-mini" }
`));

test('a temperature of system.json is marked at the root of the agent', () =>
  check(`{ "model_name": "o3" }
^ temperature-unsupported
--- config/system.json
{ "agent_defaults": { "temperature": 0.3 } }
`));

test('the same name at another provider is another model', () =>
  check(`--- config/llms/local.json
{ "llm_id": "local", "provider": "openai_compatible", "base_url": "http://localhost:1/v1", "model_name": "o3", "temperature": 0.2 }
`));

test('a user model says itself what it refuses', () =>
  check(`{ "provider": "openai_compatible", "model_name": "mine", "temperature": 0.2, "max_output_tokens": 5 }
//                                                                                                ^ temperature-unsupported does not take max_output_tokens: 5
--- agentstack.json
{ "models": { "mine": { "unsupported": ["max_output_tokens"] } } }
`));
