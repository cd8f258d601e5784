import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { reviewAgent } from '../support/reviewAgent.js';

const check = checkRule('condition-operator-type');

test('an operator that the type of the field never matches is marked, with those that do', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review@v1" }], "routing": { "rules": [
    { "condition": { "task": "review", "output_field": "verdict", "operator": "greater_than", "value": 3 }, "next_team": null },
//                                                                            ^^^^^^^^^^^^^^ condition-operator-type greater_than never matches "verdict" of the task "review", which is a text. These do: equals, not_equals, contains, not_contains, in, exists, is_empty, matches.
    { "condition": { "task": "review", "output_field": "score", "operator": "contains", "value": 3 }, "next_team": null },
//                                                                          ^^^^^^^^^^ condition-operator-type
    { "condition": { "task": "review", "output_field": "tags", "operator": "matches", "value": "b" }, "next_team": null },
//                                                                         ^^^^^^^^^ condition-operator-type
    { "condition": { "task": "review", "output_field": "tags", "operator": "contains", "value": "bug" }, "next_team": null },
    { "condition": { "task": "review", "output_field": "score", "operator": "less_than", "value": 3 }, "next_team": null }
  ] } } }
}
${reviewAgent}`));

test('a value that the operator can do nothing with is marked, of the context too', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review@v1" }], "routing": { "rules": [
    { "condition": { "task": "review", "output_field": "verdict", "operator": "in", "value": "pass" }, "next_team": null },
//                                                                                           ^^^^^^ condition-operator-type in compares with a list: give one as value, not "pass".
    { "condition": { "context_field": "round", "operator": "less_than", "value": "3" }, "next_team": null },
//                                                                               ^^^ condition-operator-type less_than compares with a number: give one as value, not "3".
    { "condition": { "context_field": "round", "operator": "equals" }, "next_team": null }
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ condition-operator-type give one as value, which is missing here.
  ] } } }
}
${reviewAgent}`));

test('the data name the operators that fit', async () => {
  const found = await findingsOf(
    `--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review@v1" }], "routing": { "rules": [
  { "condition": { "task": "review", "output_field": "score", "operator": "matches", "value": "3" }, "next_team": null }
] } } } }
${reviewAgent}`,
    ['condition-operator-type'],
  );
  expect(found.map(({ data }) => data)).toEqual([
    { operator: 'matches', types: ['number'], nearest: ['equals', 'not_equals', 'greater_than', 'less_than', 'in', 'exists'] },
  ]);
});
