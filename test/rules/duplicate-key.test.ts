import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('duplicate-key');

test('both places are shown', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
//^^^^^^^^^ related first given here
  "version": "v2"
//^^^^^^^^^ duplicate-key The key "version" is given twice
}`));

test('every further one is marked, at any level', () =>
  check(`{
  "enums": { "tone": ["a"], "tone": ["b"], "tone": ["c"] }
//                          ^^^^^^ duplicate-key
//                                         ^^^^^^ duplicate-key
}`));

test('keys are compared as they are read, escapes undone', () =>
  check(`{ "version": "v1", "versi\\u006fn": "v2" }
//                 ^^^^^^^^^^^^^^ duplicate-key`));

test('__proto__ is a key like any other', () =>
  check(`{ "defaults": { "__proto__": 1, "__proto__": 2 } }
//                              ^^^^^^^^^^^ duplicate-key`));

test('the same key in two objects is fine', () => check(`{ "defaults": { "a": 1 }, "enums": { "a": ["1"] } }`));
