import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('schema-portability');

test('what strict mode refuses is one finding on the schema, with every place beside it', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "model_name": "gpt-4.1-mini",
  "output_schema": {
//^^^^^^^^^^^^^^^ related Every object must say "additionalProperties": false.
//^^^^^^^^^^^^^^^ schema-portability The strict mode of openai refuses this schema, so answers come without its guarantee. Every object must say "additionalProperties": false. And 2 more.
    "type": "object",
    "properties": {
      "tone": { "type": "string" },
//    ^^^^^^ related Every property must be required: "tone" is not.
      "score": { "type": "number", "not": {} }
//                                 ^^^^^ related Strict mode does not support "not".
    },
    "required": ["score"]
  }
}`));

test('one violation alone is marked where it is', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "model_name": "gpt-4.1-mini",
  "output_schema": {
    "type": "object",
    "properties": { "tone": { "type": "string", "minLength": 1 } },
//                                              ^^^^^^^^^^^ schema-portability Strict mode does not support "minLength". Source: OpenAI guide
    "required": ["tone"],
    "additionalProperties": false
  }
}`));

test('a schema in the strict form is fine', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "model_name": "gpt-4.1-mini",
  "output_schema": { "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"], "additionalProperties": false }
}`));

const loose = '"output_schema": { "type": "object" }';

test('only providers with a strict mode count, wherever the provider comes from', () =>
  check(`--- config/agents/own/v1.json
{ "agent_name": "own", "version": "v1", "provider": "offline", ${loose} }
--- config/agents/strict/v1.json
{ "agent_name": "strict", "version": "v1", "provider": "azure_openai", "model_name": "x", ${loose} }
//                                                                                        ^^^^^^^^^^^^^^^ schema-portability
--- config/agents/profile/v1.json
{ "agent_name": "profile", "version": "v1", "llm_config_id": "local", ${loose} }
--- config/agents/other/v1.json
{ "agent_name": "other", "version": "v1", "llm_config_id": "cloud", ${loose} }
//                                                                  ^^^^^^^^^^^^^^^ schema-portability
--- config/llms/local.json
{ "llm_id": "local", "provider": "openai_compatible", "model_name": "llama3.2", "base_url": "http://localhost:11434/v1" }
--- config/llms/cloud.json
{ "llm_id": "cloud", "provider": "openai", "model_name": "gpt-4.1" }`));

test('what is wrong for everybody is left to its own rule', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "model_name": "gpt-4.1",
  "output_schema": {
    "type": "object",
    "properties": { "a": { "$ref": "#/$defs/none" } },
    "required": ["a", "b"],
    "additionalProperties": false
  }
}`));

test('the text protocol sends no response format', () =>
  check(`{ "agent_name": "A2", "version": "v1", "agent_type": "react", "model_name": "gpt-4.1", "tool_protocol": "text", ${loose} }`));

test('fine-tuned models take fewer keywords', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "model_name": "ft:gpt-4.1-mini-2025-04-14:personal:x:1",
  "output_schema": {
    "type": "object",
    "properties": { "a": { "type": "string", "pattern": "^a" } },
//                                           ^^^^^^^^^ schema-portability for fine-tuned models
    "required": ["a"],
    "additionalProperties": false
  }
}`));

test('the model may be a fine-tuned one of the profile', () =>
  check(`--- config/agents/A2/v1.json
{
  "agent_name": "A2",
  "version": "v1",
  "llm_config_id": "tuned",
  "output_schema": {
    "type": "object",
    "properties": { "a": { "type": "string", "pattern": "^a" } },
//                                           ^^^^^^^^^ schema-portability for fine-tuned models
    "required": ["a"],
    "additionalProperties": false
  }
}
--- config/llms/tuned.json
{ "llm_id": "tuned", "provider": "openai", "model_name": "ft:gpt-4.1-mini-2025-04-14:personal:x:1" }`));

test('a schema of a persona is marked where the agent names it', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "model_name": "gpt-4.1", "persona_key": "shaper" }
//                                                                             ^^^^^^^^ schema-portability
--- config/personas/shaper.json
{ ${loose} }
//^^^^^^^^^^^^^^^ related additionalProperties`));

test('the source of the limits and its date are told', async () => {
  const [finding] = await findingsOf(`{ "agent_name": "A2", "version": "v1", "model_name": "gpt-4.1", ${loose} }`, ['schema-portability']);
  expect(finding?.severity).toBe('warning');
  expect(finding?.message).toMatch(/OpenAI.*20\d\d-\d\d/);
  expect(finding?.data).toMatchObject({ provider: 'openai', violations: [{ keyword: 'additionalProperties', pointer: '' }] });
});
