import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unknown-tool');
const tool = `{ "description": "", "parameters": {}, "hash": "${'0'.repeat(64)}" }`;
const project = `--- config/mcp.json
{ "servers": { "docs": { "command": "x" }, "web": { "command": "y" } } }
--- config/mcp.lock.json
{ "format": 1, "servers": { "docs": { "tools": { "search": ${tool}, "open": ${tool} } } } }
`;

test('an entry that names nothing is marked with the nearest', () =>
  check(`{ "agent_type": "react", "client_ids": ["docs"], "enabled_tools": ["serch", "search", "docs_open", "calculator"] }
//                                                                 ^^^^^^^ unknown-tool The server "docs" lists no tool "serch", and there is no such built-in tool or skill: the agent does not get it. Did you mean "search"?
${project}`));

test('what is taken away must be there too', () =>
  check(`{ "agent_type": "react", "client_ids": ["docs"], "exclude_components": ["opn", "search"] }
//                                                                      ^^^^^ unknown-tool nothing is excluded. Did you mean "open"?
${project}`));

test('a list of the persona is shown from the agent', () =>
  check(`{ "agent_type": "react", "persona_key": "lead" }
//                                      ^^^^^^ unknown-tool lists no tool "gone"
--- config/personas/lead.json
{ "client_ids": ["docs"], "enabled_tools": ["gone"] }
//                                          ^^^^^^ related The tool is named here.
${project}`));

test('nothing is said while a server has not been listed, or where prompts may be meant, or of an agent without servers', async () => {
  await check(`{ "agent_type": "react", "client_ids": ["docs", "web"], "enabled_tools": ["serch"] }\n${project}`);
  await check(`{ "agent_type": "react", "client_ids": ["docs"], "enabled_tools": ["serch", "get_prompt"] }\n${project}`);
  await check(`{ "agent_type": "react", "client_ids": ["gone"], "enabled_tools": ["serch"] }\n${project}`);
  await check(`{ "agent_type": "react", "enabled_tools": ["serch"] }\n${project}`);
  await check(`{ "client_ids": ["docs"], "enabled_tools": ["serch"] }\n${project}`);
});
