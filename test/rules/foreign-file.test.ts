import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule();

test('a file under our folders is ours, whatever names it uses', async () => {
  const files: Readonly<Record<string, string>> = {
    'config/agents/X/v1.json': '{"name": "x", "instructions": "y", "model": "gpt-4"}',
    'config/agents/Y/v1.json': '{"pipeline_map": {"start": "a"}}',
    'config/agents/Z/v1.json': '{"agentName": "Z", "systemText": "You help."}',
    'agentstack.json': '{"enviroment": "prod"}',
    'config/mcp.json': '{"server": {}}',
    'config/system.json': '{"agent_default": {}}',
    'config/environments/prod.json': '{"agent_default": {}}',
    'config/personas/p.json': '{"sytem_text": "You help."}',
    'config/llms/l.json': '{"modell": "gpt-4"}',
    'config/prompts/p/v1.json': '{"tempalte": "You help."}',
    'config/orchestrations/o.json': '{"pipeline_map": {}}',
    'config/payloads/X/one.json': '{"message": "hi"}',
  };
  const fixture = Object.entries(files).map(([path, text]) => `--- ${path}\n${text}`);
  const found = await findingsOf(fixture.join('\n'), ['foreign-name', 'unknown-property', 'misplaced-property']);
  expect([...new Set(found.map(({ file }) => file))].toSorted()).toEqual(Object.keys(files).toSorted());
  expect(await findingsOf(fixture.join('\n'), ['foreign-file'])).toEqual([]);
});

test("another tool's file is named once, and nothing else is said of it", () =>
  check(`--- config/agents/Crew/v1.json
{ "agents": ["researcher"], "tasks": [{ "description": "Find it.", "expected_output": "A list." }], "version": "v1" }
//                          ^^^^^^^ foreign-file This looks like a CrewAI crew, so it is not read as an agent. Move it to another folder
--- config/mcp.json
{ "$schema": "https://opencode.ai/config.json", "mcp": { "x": { "type": "local", "command": ["npx"] } } }
//^^^^^^^^^ foreign-file This looks like an OpenCode config, so it is not read as a list of MCP servers.`));

test('nothing refers to it', () =>
  checkRule(
    'foreign-file',
    'unknown-agent',
  )(`--- config/orchestrations/o.json
{
  "name": "o",
  "entry_team": "t",
  "teams": { "t": { "name": "T", "tasks": [{ "name": "a", "agent": "Crew@v1" }], "routing": { "rules": [], "default": "t" } } }
//                                                                  ^^^^ unknown-agent
}
--- config/agents/Crew/v1.json
{ "object": "assistant", "model": "gpt-4", "temperature": 1 }
//^^^^^^^^ foreign-file an OpenAI assistant`));

test.each([
  ['a Kiro or Amazon Q agent', { name: 'x', prompt: 'y', tools: ['*'], toolsSettings: {} }],
  [
    'a Kiro or Amazon Q agent',
    { $schema: 'https://raw.githubusercontent.com/aws/amazon-q-developer-cli/main/schemas/agent-v1.json', name: 'x' },
  ],
  [
    'a Microsoft 365 declarative agent',
    { $schema: 'https://developer.microsoft.com/json-schemas/copilot/declarative-agent/v1.5/schema.json', name: 'x' },
  ],
  ['an A2A agent card', { name: 'x', version: '1', url: 'https://example.com', defaultInputModes: ['text'], skills: [] }],
  ['an Amazon Bedrock agent', { agentName: 'x', foundationModel: 'anthropic.claude' }],
  ['an AutoGen component', { provider: 'autogen_agentchat.agents.AssistantAgent', component_type: 'agent', version: 1, config: {} }],
  ['a serialized LangChain object', { lc: 1, type: 'constructor', id: ['langchain'] }],
  ['a LangGraph application', { dependencies: ['.'], graphs: { a: './a.py:graph' } }],
  ['a CrewAI agent', { role: 'a', goal: 'b', backstory: 'c' }],
  ['a list of CrewAI agents', { researcher: { role: 'a', goal: 'b', backstory: 'c' } }],
  ['a promptfoo config', { prompts: ['a'], providers: ['openai:gpt-4'], tests: [] }],
  ['an n8n workflow', { name: 'x', nodes: [], connections: {} }],
  ['a Flowise or Langflow flow', { data: { nodes: [], edges: [] } }],
  ['a list of MCP servers', { mcpServers: { x: { command: 'npx' } } }],
  ['an OpenAPI description', { openapi: '3.1.0', paths: {} }],
  ['an npm package', { name: 'x', version: '1.0.0', scripts: {} }],
  ['a JSON Schema', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }],
  ['a file of example.com', { $schema: 'https://example.com/x.json?y', a: 1 }],
])('%s is known by its marks', async (what, value) => {
  const found = await findingsOf(JSON.stringify(value));
  expect(found.map(({ code, severity, message }) => [code, severity, message.split(', so', 1)[0]])).toEqual([
    ['foreign-file', 'info', `This looks like ${what}`],
  ]);
});

test('a project may turn it off', async () => {
  const settings = '--- agentstack.json\n{ "rules": { "foreign-file": "off" } }\n--- config/agents/A2/v1.json\n';
  expect(await findingsOf(`${settings}{ "compilerOptions": {} }`)).toEqual([]);
});
