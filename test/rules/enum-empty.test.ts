import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('enum-empty', 'enums-match-schema', 'enum-missing');

test('an empty list is marked', () =>
  check(`{
  "enums": { "tone": [] }
//                   ^^ enum-empty enums lists no value for "tone"
}`));

test('where the schema has values, the difference says it all', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["a", "b"] } } },
  "enums": { "tone": [] }
//           ^^^^^^ enums-match-schema only in output_schema "a" and "b"
}`));

test('where there is no such field, that says it all', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["a"] } } },
  "enums": { "tone": ["a"], "mood": [] }
//                          ^^^^^^ enum-missing
}`));
