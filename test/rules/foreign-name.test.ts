import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('foreign-name', 'unknown-property', 'misplaced-property');

test('another tool’s name is marked, with ours', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "system_prompt": "You choose.",
//^^^^^^^^^^^^^^^ foreign-name "system_prompt" is another tool's name for "system_text". Rename it.
  "model": "gpt-4.1-mini"
//^^^^^^^ foreign-name "model" is another tool's name for "model_name". Rename it.
}`));

test('what is more than a rename says so', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "timeout": 30,
//^^^^^^^^^ foreign-name "timeout_ms". It is in milliseconds
  "max_retries": 2
//^^^^^^^^^^^^^ foreign-name "retry_attempts". It counts tries, the first included: retries + 1.
}`));

test('a name that stands for a text is one only where it holds a text', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "prompt": "You choose." }
//                                     ^^^^^^^^ foreign-name "prompt" is another tool's name for "system_text". Rename it.
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "prompt": { "system_prompt": "x@v1" } }
//                                     ^^^^^^^^ unknown-property Did you mean "prompts"?
--- config/llms/local.json
{ "llm_id": "local", "provider": "openai_compatible", "api_base": "http://127.0.0.1:11434/v1" }
//                                                    ^^^^^^^^^^ foreign-name "api_base" is another tool's name for "base_url". Rename it.`));

test('a field given under both names asks for one', () =>
  check(`{
  "agent_name": "A2",
//^^^^^^^^^^^^ related "agent_name" is given here.
  "version": "v1",
  "name": "A2"
//^^^^^^ foreign-name "agent_name" is given too: keep one of them.
}`));

test('only an object of ours that has the field counts', () =>
  check(`--- config/agents/A2/v1.json
{
  "agent_name": "A2",
  "version": "v1",
  "output_schema": { "type": "object", "properties": { "system": { "type": "string" }, "name": { "type": "string" } } },
  "defaults": { "goal": "x", "model": "y" }
}
--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "x" }
--- config/llms/x.json
{ "llm_id": "x", "goal": "y", "max_tokens": 5, "max_retries": 1 }
//               ^^^^^^ misplaced-property it belongs in options
//                            ^^^^^^^^^^^^ foreign-name "max_output_tokens"
//                                             ^^^^^^^^^^^^^ foreign-name "retry_attempts"
--- config/personas/p.json
{ "backstory": "x", "id": "p", "mode": "Writer" }
//^^^^^^^^^^^ foreign-name "system_text"
//                  ^^^^ unknown-property`));

test('every name of the list is known, and what fix-all may do is told', async () => {
  const names: Record<string, string[]> = {
    system_text: ['system_prompt', 'instructions', 'system', 'backstory', 'prompt'],
    purpose_text: ['purpose', 'goal'],
    agent_name: ['name', 'id'],
    model_name: ['model'],
    max_output_tokens: ['max_tokens', 'maxTokens'],
    output_schema: ['schema', 'response_schema', 'config_validation_schema'],
    persona_key: ['persona'],
    client_ids: ['mcp_servers', 'mcpServers'],
    enabled_tools: ['tools'],
    exclude_components: ['exclude_tools', 'excludedTools', 'disallowedTools'],
    max_iterations: ['max_turns', 'maxTurns', 'recursion_limit', 'maxSteps', 'max_iter'],
    timeout_ms: ['timeout', 'max_execution_time'],
    retry_attempts: ['max_retries', 'max_retry_limit'],
  };
  for (const [replacement, foreign] of Object.entries(names)) {
    for (const name of foreign) {
      const [finding] = await findingsOf(JSON.stringify({ version: 'v1', [name]: 'x' }), ['foreign-name']);
      const safe = replacement !== 'timeout_ms' && replacement !== 'retry_attempts';
      expect([name, finding?.severity, finding?.data]).toEqual([name, 'error', { replacement, safe }]);
    }
  }
});

test('a rename onto a field that is there is nothing for fix-all', async () => {
  const [finding] = await findingsOf('{ "agent_name": "A2", "version": "v1", "model": "x", "model_name": "y" }', ['foreign-name']);
  expect(finding?.data).toEqual({ replacement: 'model_name', safe: false });
});

test('what other clients call the servers of mcp.json', () =>
  check(`--- config/mcp.json
{ "mcpServers": { "github": { "command": "gh" } } }
//^^^^^^^^^^^^ foreign-name "mcpServers" is another tool's name for "servers". Rename it.
`));

test('our own names in camelCase are names of ours, wherever they stand', () =>
  check(`{
  "agent_name": "Learning",
  "version": "v1",
  "enabledTools": ["search_files"],
//^^^^^^^^^^^^^^ foreign-name "enabledTools" is another tool's name for "enabled_tools". Rename it.
  "prompts": { "systemPromptVersion": "1.0.0" },
//             ^^^^^^^^^^^^^^^^^^^^^ foreign-name "system_prompt_version"
  "tracing": { "enabled": true, "sampleRate": 1.0 }
//                              ^^^^^^^^^^^^ foreign-name "sample_rate"
}
--- config/system.json
{ "agent_defaults": { "max_tokens": 5 } }
//                    ^^^^^^^^^^^^ foreign-name "max_output_tokens"`));

test('of two names of one field only the first can be renamed without a thought', async () => {
  const findings = await findingsOf('{ "version": "v1", "name": "T", "id": "x" }', ['foreign-name']);
  expect(findings.map(({ data }) => data)).toEqual([
    { replacement: 'agent_name', safe: true },
    { replacement: 'agent_name', safe: false },
  ]);
});

test('the fields of a group belong to the agent itself', () =>
  check(`{
  "agent_name": "Learning",
  "version": "v1",
  "llm": { "model": "gpt-5.4-mini", "temperature": 0.7, "maxTokens": 2000, "topP": 1 },
//^^^^^ foreign-name "model" (as "model_name"), "temperature", "maxTokens" (as "max_output_tokens"), "topP" (as "top_p") belong to the agent itself: move them there.
  "behavior": { "timeoutMs": 30000, "mood": "calm" }
//^^^^^^^^^^ foreign-name "timeoutMs" (as "timeout_ms") belongs to the agent itself: move it there. No field takes "mood", or it is there already.
}`));

test('what two names or groups give goes where it belongs once', async () => {
  const text =
    '{ "agent_name": "A2", "version": "v1", "model": "a", "llm": { "model": "b", "temperature": 0 }, "behavior": { "temperature": 1 } }';
  const findings = await findingsOf(text, ['foreign-name']);
  expect(findings.map(({ data }) => data?.moves ?? data?.replacement)).toEqual([
    'model_name',
    [{ from: '/llm/temperature', to: '/temperature' }],
    [],
  ]);
});

test('the name of an llm is that of a profile, or else of a model', () =>
  check(`{ "agent_name": "A2", "version": "v1", "llm": "gpt-5.4" }
//                                     ^^^^^ foreign-name Move it to "model_name".
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "llm": "precise" }
//                                     ^^^^^ foreign-name Move it to "llm_config_id".
--- config/llms/precise.json
{ "llm_id": "precise", "model_name": "gpt-5.4" }
`));

test('a text in prompts belongs in the agent or persona', () =>
  check(`--- config/personas/solution_designer_v1.json
{
  "provider": "anthropic",
  "model": "claude-sonnet-4-5",
//^^^^^^^ foreign-name "model_name"
  "prompts": {
    "system": "You are a solution designer...",
//  ^^^^^^^^ foreign-name "system" in prompts is another tool's place for "system_text"
    "solution": "..."
//  ^^^^^^^^^^ foreign-name "purpose_text"
  }
}`));

test('a misspelt key of prompts is no place of another tool', () =>
  check(`--- config/agents/A/v1.json
{ "agent_name": "A", "version": "v1", "prompts": { "sysxem_prompt": "greeting@v1" } }
//                                                 ^^^^^^^^^^^^^^^ unknown-property Nothing reads "sysxem_prompt" here. Did you mean "system_prompt"?
`));

test('what system.json of another tool holds belongs in files of its own', () =>
  check(`--- config/system.json
{
  "llm_config": { "personas": { "designer": { "prompts": { "system": "You design." } } } },
//^^^^^^^^^^^^ foreign-name a persona belongs in a file of its own, config/personas/{persona_key}.json
  "orchestration": {
    "entry_team": "discovery",
//  ^^^^^^^^^^^^ foreign-name Move it to config/orchestrations/main.json.
    "max_total_teams": 30,
    "teams": { "discovery": { "name": "Discovery", "tasks": [], "routing": { "default": null } } }
//  ^^^^^^^ foreign-name Move it to config/orchestrations/main.json.
  }
}`));

test('a key in a file, a way to judge, a parameter of a provider and a list of agents have homes too', () =>
  check(`--- config/llms/gemini.json
{ "llm_id": "gemini", "provider": "gemini", "credentials_path": "/home/me/creds.json" }
//                                          ^^^^^^^^^^^^^^^^^^ foreign-name Write "api_key": "secret://gemini_api_key"
--- config/agents/A2/v1.json
{
  "agent_name": "A2",
  "version": "v1",
  "llm_config_id": "gemini",
  "evaluation": "prompt_validation",
//^^^^^^^^^^^^ foreign-name its cases, config/payloads/A2/{case}.json
  "top_k": 5,
//^^^^^^^ foreign-name "options" of its llm profile, config/llms/gemini.json.
  "pipeline_map": { "A2": { "models": { "required": { "chat_model": "OpenAILLM" } } } }
//^^^^^^^^^^^^^^ foreign-name An agent is a file: "config/agents/A2/v1.json"
}`));

test('a parameter in a profile belongs in its options', () =>
  check(`--- config/llms/local.json
{ "llm_id": "local", "provider": "gemini", "top_k": 5, "wibble": true, "top_pp": 1 }
//                                         ^^^^^^^ misplaced-property it belongs in options.
//                                                     ^^^^^^^^ misplaced-property it belongs in options.
//                                                                     ^^^^^^^^ unknown-property "top_p"
`));

test('a file is not said to lack what it has under one key, or under a foreign name', () =>
  checkRule(
    'foreign-name',
    'unknown-property',
    'schema',
  )(`--- config/agents/A2/v1.json
{ "agent": { "agent_name": "A2", "version": "v1", "system_text": "x" } }
//^^^^^^^ foreign-name "agent_name", "version", "system_text" belong to the agent itself
--- config/orchestrations/o.json
{
  "name": "o",
  "entry_team": "t",
  "teams": { "t": { "name": "T", "tasks": [{ "name": "a", "agent_type": "react", "persona": "p" }], "routing": { "default": null } } }
//                                                                               ^^^^^^^^^ foreign-name "persona_key"
}`));

test('what an agent has no field for, but its profile, has its home there', () =>
  check(`--- config/agents/A2/v1.json
{
  "agent_name": "A2",
  "version": "v1",
  "llm_config_id": "local",
  "base_url": "http://localhost:1",
//^^^^^^^^^^ foreign-name in its llm profile as "base_url", config/llms/local.json
  "credentials_path": "k.json",
//^^^^^^^^^^^^^^^^^^ foreign-name in its llm profile as "api_key", config/llms/local.json
  "llm": { "top_k": 5 }
//^^^^^ foreign-name "top_k" is not a field of an agent
}
--- config/llms/local.json
{ "llm_id": "local", "system_prompt": "You help." }
//                   ^^^^^^^^^^^^^^^ foreign-name "default_system_prompt"`));

test('what system.json has at its root has a home too', () =>
  check(`--- config/system.json
{
  "llm": { "model": "gpt-5.4" },
//^^^^^ foreign-name under "agent_defaults", as "model_name". Move it there.
  "personas": { "p": { "system_text": "x" } },
//^^^^^^^^^^ foreign-name a file of its own, config/personas/{persona_key}.json
  "entry_team": "a",
//^^^^^^^^^^^^ foreign-name Move it to config/orchestrations/main.json.
  "teams": { "a": {} }
//^^^^^^^ foreign-name Move it to config/orchestrations/main.json.
}`));
