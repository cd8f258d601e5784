import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('tools-module');
const settings = `--- agentstack.json
{ "tools": "./tools.mjs" }
//         ^^^^^^^^^^^^^ tools-module The tools of ./tools.mjs cannot be loaded:`;

test('a module that is not there is marked where it is named', () => check(`{}\n${settings} there is no such file.\n`));

test('and so is one without tools, with two of one name, or that throws', async () => {
  await check(`{}\n${settings} It exports no tool.\n--- tools.mjs\nexport const stock = 5;`);
  const tool = `{ name: 'a', description: 'x', call: () => 1 }`;
  await check(`{}\n${settings} It exports two tools named a.\n--- tools.mjs\nexport default [${tool}, ${tool}];`);
  await check(`{}\n${settings} no warehouse\n--- tools.mjs\nthrow new Error('no warehouse');`);
});

test('one with tools is fine', () =>
  check(
    `{}\n--- agentstack.json\n{ "tools": "./tools.mjs" }\n--- tools.mjs\nexport default [{ name: 'a', description: 'x', call: () => 1 }];`,
  ));
