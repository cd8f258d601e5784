import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { reviewAgent } from '../support/reviewAgent.js';

const check = checkRule('condition-value-impossible');

test('a value that the enum lacks is marked, the one member of a list alone', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review@v1" }], "routing": { "rules": [
    { "condition": { "task": "review", "output_field": "verdict", "operator": "equals", "value": "fai" }, "next_team": null },
//                                                                                               ^^^^^ condition-value-impossible "verdict" of the task "review" never matches "fai": its schema has no such value. Did you mean "fail"?
    { "condition": { "task": "review", "output_field": "verdict", "operator": "in", "value": ["pass", "ok"] }, "next_team": null },
//                                                                                                    ^^^^ condition-value-impossible It is "pass", "fail" or "unsure".
    { "condition": { "task": "review", "output_field": "tags", "operator": "contains", "value": "bugs" }, "next_team": null },
//                                                                                              ^^^^^^ condition-value-impossible Did you mean "bug"?
    { "condition": { "task": "review", "output_field": "score", "operator": "greater_than", "value": 10 }, "next_team": null },
//                                                                                                   ^^ condition-value-impossible
    { "condition": { "task": "review", "output_field": "score", "operator": "equals", "value": "3" }, "next_team": null },
//                                                                                             ^^^ condition-value-impossible
    { "condition": { "task": "review", "output_field": "verdict", "operator": "not_equals", "value": "unsure" }, "next_team": null },
    { "condition": { "task": "review", "output_field": "note", "operator": "equals", "value": "anything" }, "next_team": null },
    { "condition": { "task": "review", "output_field": "score", "operator": "less_than", "value": 10 }, "next_team": null }
  ] } } }
}
${reviewAgent}`));

test('the enum is shown', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [{ "name": "one", "agent": "A2@v1", "config": {} }], "routing": { "rules": [
    { "condition": { "task": "one", "output_field": "tone", "operator": "equals", "value": "frendly" }, "next_team": null }
//                                                                                         ^^^^^^^^^ condition-value-impossible
  ] } } }
}
--- config/agents/A2/v1.json
{
  "output_schema": { "type": "object", "properties": { "tone": { "enum": ["direct", "friendly"] } } }
//                                                     ^^^^^^ related The values of the field are given here.
}
`));

test('the data hold the value, what is alike and what there is', async () => {
  const found = await findingsOf(
    `--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review@v1" }], "routing": { "rules": [
  { "condition": { "task": "review", "output_field": "verdict", "operator": "equals", "value": "Pass" }, "next_team": null }
] } } } }
${reviewAgent}`,
    ['condition-value-impossible'],
  );
  expect(found.map(({ data }) => data)).toEqual([{ value: 'Pass', nearest: ['pass'], allowed: ['pass', 'fail', 'unsure'] }]);
});

test('a value or an enum with a variable is left alone', async () => {
  const flow = (value: string) => `--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "one", "agent": "A2@v1" }], "routing": { "rules": [
  { "condition": { "task": "one", "output_field": "tone", "operator": "equals", "value": "${value}" }, "next_team": null }
] } } } }
`;
  const agent = (value: string) => `--- config/agents/A2/v1.json
{ "output_schema": { "type": "object", "properties": { "tone": { "enum": ["${value}"] } } } }
`;
  expect(await findingsOf(flow('x') + agent('y'), ['condition-value-impossible'])).toHaveLength(1);
  await check(flow(`\${TONE}`) + agent('y'));
  await check(flow('x') + agent(`\${TONE:-y}`));
});
