import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { reviewAgent } from '../support/reviewAgent.js';

const check = checkRule('routing-cycle');

test('teams that lead only to each other are marked on the first way, and the others are shown', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "a",
  "teams": {
    "a": { "routing": { "default": "b" } },
    "b": { "routing": { "rules": [{ "condition": { "context_field": "x", "operator": "exists" }, "next_team": "c" }], "default": "c" } },
//                                                                                                            ^^^ routing-cycle "b" and "c" lead only to each other, and no route leads out: only the limits end such a run.
//                                                                                                                               ^^^ related This leads to "c".
    "c": { "routing": { "default": "b" } }
//                                 ^^^ related This leads to "b".
  }
}
`));

test('a team that leads only to itself', () =>
  check(`--- config/orchestrations/flow.json
{ "entry_team": "a", "teams": { "a": { "routing": { "default": "a" } } } }
//                                                             ^^^ routing-cycle "a" leads only to itself
`));

test('one way out is enough: an end, another team, the want of a route', async () => {
  const flow = (routing: string) => `--- config/orchestrations/flow.json
{ "entry_team": "a", "teams": { "a": { "routing": ${routing} }, "b": { "routing": { "default": null } } } }
`;
  const rule = (next: string) => `{ "condition": { "context_field": "x", "operator": "exists" }, "next_team": ${next} }`;
  await check(flow(`{ "rules": [${rule('null')}], "default": "a" }`));
  await check(flow(`{ "rules": [${rule('"b"')}], "default": "a" }`));
  await check(flow(`{ "rules": [${rule('"a"')}] }`));
  await check(flow(`{ "rules": [${rule('"nowhere"')}], "default": "a" }`));
  await check(flow(`{ "rules": [${rule(`"\${X}"`)}], "default": "a" }`));
});

test('a way out that is proven to be never taken, and a missing default that is never missed, are none', async () => {
  const rule = (value: string, next: string) => `{ "condition": { "task": "review", "status": "${value}" }, "next_team": ${next} }`;
  const flow = (...rules: readonly string[]) => `--- config/orchestrations/flow.json
{ "entry_team": "a", "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review@v1" }], "routing": { "rules": [${rules}] } } } }
${reviewAgent}`;
  const count = async (...rules: readonly string[]) => (await findingsOf(flow(...rules), ['routing-cycle'])).length;
  expect(await count(rule('success', '"a"'), rule('failure', '"a"'), rule('success', 'null'))).toBe(1);
  expect(await count(rule('success', '"a"'), rule('failure', 'null'))).toBe(0);
  expect(await count(rule('success', '"a"'))).toBe(0);
});

test('a cycle that no run gets into is not told', () =>
  check(`--- config/orchestrations/flow.json
{ "entry_team": "a", "teams": { "a": { "routing": { "default": null } }, "b": { "routing": { "default": "b" } } } }
`));

test('agents whose plans call each other in every run', () =>
  check(`--- config/agents/A/v1.json
{
  "agent_name": "A",
  "version": "v1",
  "agent_type": "orchestrating",
  "execution_plan": {
    "steps": [
      { "name": "b", "agent": "B" },
//                            ^^^ routing-cycle "B@v1" and "A@v1" call each other in every run, until the limit of 8 ends it as a failure. Give one of these steps a "when", or remove it.
      { "name": "c", "agent": "C@v1" },
      { "name": "me", "agent": "A@v1", "when": { "context_field": "again", "operator": "exists" } },
      { "name": "none", "agent": "Nobody@v1" }
    ]
  }
}
--- config/agents/B/v1.json
{ "agent_name": "B", "version": "v1", "agent_type": "orchestrating", "execution_plan": { "steps": [{ "name": "a", "agent": "A@v1" }] } }
//                                                                                                                         ^^^^^^ routing-cycle
--- config/agents/C/v1.json
{ "agent_name": "C", "version": "v1", "agent_type": "orchestrating", "execution_plan": { "steps": [{ "name": "c", "agent": "C@v1" }] } }
//                                                                                                                         ^^^^^^ routing-cycle "C@v1" calls itself in every run, until the limit of 8 ends it as a failure. Give one of these steps a "when", or remove it.
--- config/agents/D/v1.json
{ "agent_name": "D", "version": "v1", "execution_plan": { "steps": [{ "name": "d", "agent": "D@v1" }] } }
`));

/** Agents that call one another in a line; the last calls none. */
const chain = (length: number) =>
  Array.from({ length }, (_, at) => {
    const name = String.fromCharCode(65 + at);
    const next = String.fromCharCode(66 + at);
    const plan =
      at + 1 < length ? `, "agent_type": "orchestrating", "execution_plan": { "steps": [{ "name": "next", "agent": "${next}" }] }` : '';
    return `--- config/agents/${name}/v1.json\n{ "agent_name": "${name}", "version": "v1"${plan} }\n`;
  }).join('');

test('agents that call each other deeper than a run lets them', async () => {
  expect(await findingsOf(chain(9), ['routing-cycle'])).toEqual([]);
  const [found, ...others] = await findingsOf(chain(11), ['routing-cycle']);
  expect(found).toMatchObject({
    file: 'config/agents/A/v1.json',
    pointer: '/execution_plan/steps/0/agent',
    message:
      'Agents call each other more than 8 deep in every run, which refuses the last of these calls: "A@v1" > "B@v1" > "C@v1" > "D@v1" > "E@v1" > "F@v1" > "G@v1" > "H@v1" > "I@v1" > "J@v1". Put fewer agents between them, or give one of these steps a "when".',
  });
  expect(others.map(({ file }) => file)).toEqual(['config/agents/B/v1.json']);
});

test('tasks that wait for each other are an error, at the first of their dependencies', () =>
  check(`--- config/orchestrations/flow.json
{
  "name": "flow", "entry_team": "one",
  "teams": { "one": { "name": "One", "routing": { "default": null }, "tasks": [
    { "name": "a", "agent": "A2", "depends_on": ["b"] },
//                                               ^^^ routing-cycle The tasks "a", "b" and "c" wait for each other, so none of them starts and the orchestration does not run. Remove one of these names from depends_on.
    { "name": "b", "agent": "A2", "depends_on": ["c", "free"] },
//                                               ^^^ related "b" waits for "c".
    { "name": "c", "agent": "A2", "depends_on": ["a"] },
//                                               ^^^ related "c" waits for "a".
    { "name": "free", "agent": "A2", "depends_on": [] },
    { "name": "after", "agent": "A2", "depends_on": ["c", "nowhere"] }
  ] } }
}`));

test('a task that waits for itself is one too', () =>
  check(`--- config/orchestrations/flow.json
{
  "name": "flow", "entry_team": "one",
  "teams": { "one": { "name": "One", "routing": { "default": null }, "tasks": [
    { "name": "a", "agent": "A2" },
    { "name": "b", "agent": "A2", "depends_on": ["a", "b"] }
//                                                    ^^^ routing-cycle The task "b" waits for itself
  ] } }
}`));
