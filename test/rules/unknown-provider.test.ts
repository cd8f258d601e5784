import { expect, test } from 'vitest';
import { builtInProviderNames } from '../../core/builtInProviders.js';
import { providers } from '../../core/generated/providers.js';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unknown-provider');

test('a misspelt provider is marked wherever one may stand, with the nearest', () =>
  check(`{ "provider": "opnai" }
//            ^^^^^^^ unknown-provider There is no provider "opnai". Did you mean "openai"?
--- config/llms/main.json
{ "llm_id": "main", "provider": "acme" }
//                              ^^^^^^ unknown-provider There are openai, openai_compatible, azure_openai, anthropic, gemini, vscode, offline.
--- config/personas/editor.json
{ "provider": "antropic" }
//            ^^^^^^^^^^ unknown-provider Did you mean "anthropic"?
--- config/system.json
{ "agent_defaults": { "provider": "gemni" }, "llms": { "main": { "provider": "offlin" } } }
//                                ^^^^^^^ unknown-provider Did you mean "gemini"?
//                                                                           ^^^^^^^^ unknown-provider Did you mean "offline"?
`));

test('the name that other tools have for a provider is one', () =>
  check(`{ "provider": "google" }
//            ^^^^^^^^ unknown-provider There is no provider "google". Did you mean "gemini"?
--- config/llms/main.json
{ "llm_id": "main", "provider": "azure" }
//                              ^^^^^^^ unknown-provider Did you mean "azure_openai"?
`));

test('one that agentstack.json lists is known, and so is a variable', () =>
  check(`{ "provider": "mycorp" }
--- config/llms/main.json
{ "llm_id": "main", "provider": "\${PROVIDER}" }
--- agentstack.json
{ "providers": ["mycorp"] }
`));

test('the built-in names are those of the providers there are, and of the editor', () => {
  expect([...builtInProviderNames].toSorted()).toEqual([...providers.map(({ name }) => name), 'vscode'].toSorted());
});
