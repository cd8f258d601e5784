import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unknown-skill');

test('a tool that nobody has is marked with the nearest, for an agent without servers', () =>
  check(`{ "agent_type": "react", "enabled_tools": ["calculator", "calculater", "find_order", "\${TOOL}x"] }
--- agentstack.json
{ "skills": { "find_order": { "description": "Finds an order." } } }
`));

test('and so is a misspelt one, a skill of agentstack.json among the names', () =>
  check(`{ "agent_type": "react", "enabled_tools": ["calculater", "find_ordr", "teleport"] }
//                                         ^^^^^^^^^^^^ unknown-skill There is no skill "calculater": no built-in tool, no declared skill. Did you mean "calculator"?
//                                                       ^^^^^^^^^^^ unknown-skill Did you mean "find_order"?
//                                                                    ^^^^^^^^^^ unknown-skill Tools of your own come from the module under "tools" in agentstack.json
--- agentstack.json
{ "skills": { "find_order": { "description": "Finds an order." } } }
`));

test('a step of a plan is marked, unless a server may have the skill', async () => {
  const agent = (ids: string) =>
    `{ "agent_type": "orchestrating", "client_ids": ${ids}, "execution_plan": { "steps": [{ "name": "a", "skill": "search" }, { "name": "b", "skill": "calculator" }] } }`;
  const server = '--- config/mcp.json\n{ "servers": { "docs": { "command": "x" } } }\n';
  const lock = (name: string) =>
    `--- config/mcp.lock.json\n{ "format": 1, "servers": { "docs": { "tools": { "${name}": { "description": "", "parameters": {}, "hash": "${'0'.repeat(64)}" } } } } }\n`;
  const marked = `\n//${' '.repeat(agent('[]').indexOf('"search"') - 2)}^^^^^^^^ unknown-skill There is no skill "search"\n`;
  await check(agent('[]') + marked);
  await check(`${agent('["docs"]')}\n${server}`);
  await check(`${agent('["docs"]')}\n${server}${lock('search')}`);
  await check(`${agent('["docs"]')}${marked.replace('//', '//      ')}${server}${lock('find')}`);
});

test('an agent that asks once has no tools, so nothing is missing', () => check(`{ "enabled_tools": ["teleport"] }\n`));

test('a tool of the module in agentstack.json is known, and one that it lacks is not', () =>
  check(`{ "agent_type": "react", "enabled_tools": ["stock", "stok"] }
//                                                  ^^^^^^ unknown-skill Did you mean "stock"?
--- agentstack.json
{ "tools": "./tools/index.mjs" }
--- tools/index.mjs
export const stock = { name: 'stock', description: 'Tells what is in stock.', call: () => 5 };
`));

test('while the module cannot be loaded, any name may be one of its tools', () =>
  check(`{ "agent_type": "react", "enabled_tools": ["stock"] }
--- agentstack.json
{ "tools": "./tools/index.mjs" }
`));
