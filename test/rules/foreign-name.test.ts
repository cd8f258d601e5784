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

test('a field given under both names asks for one', () =>
  check(`{
  "agent_name": "A2",
//^^^^^^^^^^^^ related "agent_name" is given here.
  "version": "v1",
  "name": "A2"
//^^^^^^ foreign-name "agent_name" is there too: keep one of them.
}`));

test('only the root of a kind that has the field counts', () =>
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
//               ^^^^^^ unknown-property
//                            ^^^^^^^^^^^^ foreign-name "max_output_tokens"
//                                             ^^^^^^^^^^^^^ foreign-name "retry_attempts"
--- config/personas/p.json
{ "backstory": "x", "id": "p", "mode": "Writer" }
//^^^^^^^^^^^ foreign-name "system_text"
//                  ^^^^ unknown-property`));

test('every name of the list is known, and what fix-all may do is told', async () => {
  const names: Record<string, string[]> = {
    system_text: ['system_prompt', 'instructions', 'system', 'backstory'],
    purpose_text: ['purpose', 'goal'],
    agent_name: ['name', 'id'],
    model_name: ['model'],
    max_output_tokens: ['max_tokens', 'maxTokens'],
    output_schema: ['schema', 'response_schema', 'config_validation_schema'],
    persona_key: ['persona'],
    client_ids: ['mcp_servers', 'mcpServers'],
    enabled_tools: ['tools'],
    exclude_components: ['exclude_tools'],
    max_iterations: ['max_turns', 'recursion_limit'],
    timeout_ms: ['timeout'],
    retry_attempts: ['max_retries'],
  };
  for (const [replacement, foreign] of Object.entries(names)) {
    for (const name of foreign) {
      const [finding] = await findingsOf(JSON.stringify({ version: 'v1', [name]: 'x' }), ['foreign-name']);
      const safe = name !== 'timeout' && name !== 'max_retries';
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
