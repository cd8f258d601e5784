import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

test('a url without a type is marked where Claude Code leaves the server out', () =>
  checkRule('mcp-type-missing')(`--- .mcp.json
{
  "mcpServers": {
    "docs": { "url": "https://mcp.example.com/mcp" },
//            ^^^^^ mcp-type-missing The server "docs" has a url and no type, so Claude Code skips it. Write "type": "http".
    "old": { "url": "https://mcp.example.com/sse" },
//           ^^^^^ mcp-type-missing Write "type": "sse".
    "typed": { "type": "http", "url": "https://mcp.example.com/mcp" },
    "program": { "command": "npx" }
  }
}
--- .vscode/mcp.json
{ "servers": { "docs": { "url": "https://mcp.example.com/mcp" } } }
--- config/mcp.json
{ "servers": { "docs": { "url": "https://mcp.example.com/mcp" } } }
`));
