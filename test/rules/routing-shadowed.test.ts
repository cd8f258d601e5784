import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { reviewAgent } from '../support/reviewAgent.js';

const check = checkRule('routing-shadowed');
const flow = (rules: string, task = '{ "name": "review", "agent": "Review@v1" }') => `--- config/orchestrations/flow.json
{
  "teams": {
    "a": {
      "tasks": [${task}],
      "routing": { "default": null, "rules": [
${rules}
      ] }
    }
  }
}
`;

test('a rule after one that takes all of it is marked, and the earlier one is shown', () =>
  check(
    flow(`        { "condition": { "task": "review", "output_field": "score", "operator": "greater_than", "value": 5 }, "next_team": "a" },
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ related This rule matches all of it.
        { "condition": { "task": "review", "output_field": "score", "operator": "equals", "value": 8 }, "next_team": null }
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ routing-shadowed This rule never matches: rule 1 matches all of it before.`) +
      reviewAgent,
  ));

test('where several take it together, all of them are shown', () =>
  check(
    flow(`        { "condition": { "task": "review", "output_field": "verdict", "operator": "in", "value": ["pass"] }, "next_team": "a" },
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ related This rule matches a part of it.
        { "condition": { "context_field": "x", "operator": "exists" }, "next_team": "a" },
        { "condition": { "task": "review", "output_field": "verdict", "operator": "not_equals", "value": "pass" }, "next_team": null },
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ related
        { "condition": { "task": "review", "status": "success" }, "next_team": null }
//                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ routing-shadowed the rules 1 and 3 match all of it before.`) + reviewAgent,
  ));

test('a condition that contradicts itself never matches', () =>
  check(
    flow(`        { "condition": [
//                     ^... routing-shadowed This rule never matches: its condition contradicts itself
          { "task": "review", "status": "failure" },
          { "task": "review", "output_field": "verdict", "operator": "equals", "value": "pass" }
        ], "next_team": null }`) + reviewAgent,
  ));

test('what cannot be proven is not said: open texts, unknown agents, variables', async () => {
  const same = `{ "condition": { "task": "review", "output_field": "note", "operator": "contains", "value": "a" }, "next_team": "a" },
{ "condition": { "task": "review", "output_field": "note", "operator": "matches", "value": "ab" }, "next_team": "a" }`;
  await check(flow(same) + reviewAgent);
  const twice = (value: string) => `{ "condition": { "context_field": "x", "operator": "equals", "value": "${value}" }, "next_team": null },
{ "condition": { "context_field": "x", "operator": "equals", "value": "${value}" }, "next_team": null }`;
  expect(await findingsOf(flow(twice('a')), ['routing-shadowed'])).toHaveLength(1);
  await check(flow(twice(`\${X}`)));
});

test('a comparison that cannot be meant is only said there', () =>
  check(
    flow(`{ "condition": { "task": "review", "output_field": "verdict", "operator": "equals", "value": "psas" }, "next_team": null }`) +
      reviewAgent,
  ));

test('the data name the team, the rule and those before it', async () => {
  const rule = '{ "condition": { "task": "review", "status": "success" }, "next_team": null }';
  const found = await findingsOf(flow(`${rule}, ${rule}`), ['routing-shadowed']);
  expect(found.map(({ data }) => data)).toEqual([{ team: 'a', rule: 1, by: [0] }]);
});
