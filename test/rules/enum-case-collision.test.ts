import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('enum-case-collision', 'enum-duplicate-value');

test('values that differ in letter case only are marked once, in enums', () =>
  check(`{
  "enums": { "tone": ["Friend", "formal", "friend"] },
//                    ^^^^^^^^ related "Friend" is listed here.
//                                        ^^^^^^^^ enum-case-collision "friend" and "Friend" differ only in letter case
  "output_schema": { "properties": { "tone": { "enum": ["Friend", "formal", "friend"] } } }
}`));

test('a schema that enums does not repeat is marked itself', () =>
  check(`{
  "enums": { "tone": ["Friend"] },
  "output_schema": { "properties": { "tone": { "enum": ["Friend", "FRIEND"] } } }
//                                                                ^^^^^^^^ enum-case-collision
}`));

test('the very same value again is a repetition, no collision', () =>
  check(`{
  "enums": { "tone": ["Friend", "friend", "friend"] }
//                              ^^^^^^^^ enum-case-collision
//                                        ^^^^^^^^ enum-duplicate-value
}`));

test('a long list is judged like a short one', () => {
  const values = Array.from({ length: 40 }, (_, index) => `"v${index}"`).join(', ');
  return check(`{ "enums": { "tone": [${values}, "V7"] } }
//${' '.repeat(22 + values.length)}^^^^ enum-case-collision`);
});
