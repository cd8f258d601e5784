import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('enum-duplicate-value', 'enum-case-collision');

test('a value listed again is marked, in enums and in the schema', () =>
  check(`{
  "enums": { "tone": ["direct", "formal", "direct", "direct"] },
//                    ^^^^^^^^ related "direct" is first listed here.
//                    ^^^^^^^^ related "direct" is first listed here.
//                                        ^^^^^^^^ enum-duplicate-value "direct" is listed twice.
//                                                  ^^^^^^^^ enum-duplicate-value
  "output_schema": {
    "properties": { "tone": { "enum": ["direct", "formal", "direct"] } },
//                                     ^^^^^^^^ related
//                                                         ^^^^^^^^ enum-duplicate-value
    "$defs": { "level": { "enum": [1, 2, 1, null, null] } }
//                                 ^ related 1 is first
//                                       ^ enum-duplicate-value 1 is listed twice
  }
}`));

test('a long list is judged like a short one', () => {
  const values = Array.from({ length: 40 }, (_, index) => `"v${index}"`).join(', ');
  return check(`{ "enums": { "tone": [${values}, "v7"] } }
//${' '.repeat(22 + values.length)}^^^^ enum-duplicate-value "v7" is listed twice.`);
});

test('equal values of two fields are fine', () => check(`{ "enums": { "tone": ["a", "b"], "mood": ["b", "a"] } }`));
