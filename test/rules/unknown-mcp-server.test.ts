import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('unknown-mcp-server');

test('an id that is not a server is marked with the nearest, and mcp.json is shown', () =>
  check(`{ "client_ids": ["github", "githb", "\${SERVER}"] }
//                         ^^^^^^^ unknown-mcp-server There is no MCP server "githb". Did you mean "github"?
--- config/mcp.json
{ "servers": { "github": { "command": "gh" } } }
//^^^^^^^^^ related The servers are here.
`));

test('personas, system.json and tasks use servers too', () =>
  check(`--- config/mcp.json
{ "servers": { "docs": { "url": "https://example.com" } } }
--- config/personas/lead.json
{ "client_ids": ["memory"] }
//               ^^^^^^^^ unknown-mcp-server There is docs.
--- config/system.json
{ "agent_defaults": { "client_ids": ["doc"] } }
//                                   ^^^^^ unknown-mcp-server
--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "persona_key": "lead", "config": { "client_ids": ["docs", "dcos"] } }] } } }
//                                                                                        ^^^^^^ unknown-mcp-server
`));

test('without mcp.json there is no server', () =>
  check(`{ "client_ids": ["github"] }
//               ^^^^^^^^ unknown-mcp-server There is no MCP server "github". The project has no mcp.json.
`));

test('a broken mcp.json is its own finding, and another name for its field too', async () => {
  await check(`{ "client_ids": ["github"] }\n--- config/mcp.json\n{ "servers": {\n`);
  await check(`{ "client_ids": ["github"] }\n--- config/mcp.json\n{ "mcpServers": { "github": {} } }\n`);
});

test('names of the object prototype are ordinary names', async () => {
  const found = await findingsOf(
    '{ "client_ids": ["constructor", "__proto__"] }\n--- config/mcp.json\n{ "servers": { "__proto__": {} } }',
    ['unknown-mcp-server'],
  );
  expect(found.map(({ data }) => data?.id)).toEqual(['constructor']);
});
