import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unused-mcp-server');

test('a server that nothing names is marked', () =>
  check(`{ "client_ids": ["docs"] }
--- config/personas/lead.json
{ "client_ids": ["files"] }
--- config/mcp.json
{
  "servers": {
    "docs": { "command": "a" },
    "files": { "command": "b" },
    "mail": { "command": "c" }
//  ^^^^^^ unused-mcp-server No agent uses the MCP server "mail". Name it in the "client_ids" of one, or remove it.
  }
}
`));

test('servers of other tools are used by those', () =>
  check(`{}
--- .mcp.json
{ "mcpServers": { "docs": { "command": "a" } } }
--- .vscode/mcp.json
{ "servers": { "docs": { "command": "a" } } }
`));

test('a project without agents has no use for a server yet', () =>
  check(`--- config/mcp.json
{ "servers": { "docs": { "command": "a" } } }
`));
