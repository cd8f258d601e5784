import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('mcp-tool-drift');
const hash = '0'.repeat(64);
const lock = (changed: string) => `--- config/mcp.json
{ "servers": { "docs": { "command": "x" } } }
--- config/mcp.lock.json
{ "format": 1, "servers": { "docs": { "tools": {
  "open": { "description": "Opens.", "parameters": {}, "hash": "${hash}" },
  "search": { "description": "Finds.", "parameters": {}, "hash": "${hash}", "changed": ${changed} }
} } } }
`;
const related = (text: string) => text.replace(/^( +)"search": .*$/m, (line) => `${line}\n//^^^^^^^^ related It is pinned here.`);
const described = `{ "description": "Finds all.", "parameters": {}, "hash": "${hash}" }`;

test('a changed description is marked on the entry that names the tool', () =>
  check(`{ "agent_type": "react", "client_ids": ["docs"], "enabled_tools": ["open", "docs_search"] }
//                                                                         ^^^^^^^^^^^^^ mcp-tool-drift The server "docs" has changed the description of the tool "search" since it was pinned. Review the change before you accept it
${related(lock(described))}`));

test('without that list on the server', () =>
  check(`{ "agent_type": "react", "client_ids": ["docs"] }
//                                      ^^^^^^ mcp-tool-drift has changed the parameters of the tool "search"
${related(lock(`{ "description": "Finds.", "parameters": { "type": "object" }, "hash": "${hash}" }`))}`));

test('a tool that is listed no more is told of as well', () =>
  check(`{ "agent_type": "react", "client_ids": ["docs"] }
//                                      ^^^^^^ mcp-tool-drift The server "docs" no longer lists the tool "search".
${related(lock('null'))}`));

test('an agent without the tool is not concerned', async () => {
  await check(`{ "agent_type": "react", "client_ids": ["docs"], "enabled_tools": ["open"] }\n${lock(described)}`);
  await check(`{ "agent_type": "react", "client_ids": ["docs"], "exclude_components": ["search"] }\n${lock(described)}`);
  await check(`{ "client_ids": ["docs"] }\n${lock(described)}`);
});
