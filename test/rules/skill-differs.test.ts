import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('skill-differs');
const module = `--- tools.mjs
export const stock = {
  name: 'stock',
  description: 'Counts.',
  parameters: { type: 'object', properties: { item: { type: 'string' } } },
  side_effects: false,
  call: () => 5,
};
`;

test('each field that says something else than the code is marked, with both sides', () =>
  check(`{}
--- agentstack.json
{ "tools": "./tools.mjs", "skills": { "stock": { "description": "Sells.", "side_effects": true } } }
//                                                              ^^^^^^^^ skill-differs The tool "stock" has the description "Sells." in agentstack.json, but "Counts." where code registers it.
//                                                                                        ^^^^ skill-differs the side_effects true in agentstack.json, but false where code registers it. Remove the declaration
${module}`));

test('a declaration that says less, or the same in another order, is fine, and so is one of another tool', () =>
  check(`{}
--- agentstack.json
{ "tools": "./tools.mjs", "skills": { "stock": { "description": "Counts.", "parameters": { "properties": { "item": { "type": "string" } }, "type": "object" } }, "other": { "description": "x" } } }
${module}`));

test('labels too, unless the code has none', () =>
  check(`{}
--- agentstack.json
{ "tools": "./tools.mjs", "skills": { "mail": { "description": "Sends.", "labels": {} }, "stock": { "description": "Counts.", "labels": { "reads": "private" } } } }
//                                                                                 ^^ skill-differs has the labels {} in agentstack.json, but {"sends":true} where code registers it.
${module}
export const mail = { name: 'mail', description: 'Sends.', labels: { sends: true }, call: () => 5 };
`));
