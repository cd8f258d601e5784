import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unknown-model');

test('a misspelt model is marked with the nearest names', () =>
  check(`{
  "model_name": "gpt-4.1-mni"
//              ^^^^^^^^^^^^^ unknown-model The model table knows no openai model "gpt-4.1-mni". Did you mean "gpt-4.1-mini"
}`));

test('a model that resembles none is told what can be said of it', () =>
  check(`{ "model_name": "frobnicate-9000" }
//              ^^^^^^^^^^^^^^^^^ unknown-model add its facts under "models" in agentstack.json
`));

test('known, dated and fine-tuned models stay', async () => {
  await check(`{ "model_name": "gpt-4.1-mini-2025-04-14" }`);
  await check(`{ "model_name": "ft:gpt-4o-2024-08-06:org::1" }`);
  await check(`{ "provider": "anthropic", "model_name": "claude-sonnet-4-5-20250929" }`);
  await check(`{ "provider": "gemini", "model_name": "models/gemini-3.5-flash" }`);
});

test('models of another provider are unknown here', () =>
  check(`{ "provider": "anthropic", "model_name": "gpt-4.1-mini" }
//                                       ^^^^^^^^^^^^^^ unknown-model "gpt-4.1-mini" is a model of openai, but the request goes to anthropic. Give "provider": "openai".
`));

test('a model without its provider names it', async () => {
  await check(`{ "model_name": "claude-3-7-sonnet-20250219" }
//              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-model but no layer names a provider, so the request goes to openai. Give "provider": "anthropic".
`);
  await check(`--- config/llms/g.json
{ "llm_id": "g", "model_name": "gemini-2.5-pro" }
//                             ^^^^^^^^^^^^^^^^ unknown-model Give "provider": "gemini".
`);
});

test('providers where anybody names models are left alone', async () => {
  for (const provider of ['openai_compatible', 'azure_openai', 'offline', 'vscode']) {
    await check(`{ "provider": "${provider}", "model_name": "whatever" }`);
  }
});

test('a profile with its own address is left alone', () =>
  check(`{ "llm_config_id": "proxy" }
--- config/llms/proxy.json
{ "llm_id": "proxy", "provider": "openai", "base_url": "http://localhost:4000/v1", "model_name": "whatever" }
`));

test('a model named by a variable is left alone', () => check(`{ "model_name": "\${MODEL}" }`, { variables: ['MODEL'] }));

test('a model of agentstack.json is known', () =>
  check(`{ "model_name": "mine" }
--- agentstack.json
{ "models": { "mine": {} } }
`));

test('an agent that sends the model of its profile to another provider is marked itself', () =>
  check(`{ "llm_config_id": "openai", "provider": "anthropic" }
//                 ^^^^^^^^ unknown-model "gpt-5.4-mini" is a model of openai, but the request goes to anthropic.
--- config/llms/openai.json
{ "llm_id": "openai", "provider": "openai", "model_name": "gpt-5.4-mini" }
`));

test('the model of a profile is marked in the profile only', () =>
  check(`{ "llm_config_id": "openai" }
--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "gpt-5.4-mimi" }
//                                  ^^^^^^^^^^^^^^ unknown-model
`));
