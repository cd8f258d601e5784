import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('trailing-comma', 'json-syntax');

test('a comma before a closing bracket is marked, in objects and lists', () =>
  check(`{
  "agent_name": "A2",
  "input_keys": ["task", ],
//                     ^ trailing-comma before the closing ]
  "version": "v1",
//               ^ trailing-comma before the closing }
}`));

test('a comma with nothing before it is another fault', () =>
  check(`{
  "input_keys": [, "task"]
//               ^ json-syntax nothing before it
}`));
