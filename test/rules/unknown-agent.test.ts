import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('unknown-agent');
const agents = `--- config/agents/Reviewer/v1.json
{ "agent_name": "Reviewer" }
--- config/agents/Reviewer/v2.json
{ "agent_name": "Reviewer" }
`;

test('a task of an agent that does not exist is marked on the name, with the nearest', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": {
    "a": { "tasks": [
      { "name": "one", "agent": "Revewer@v1" },
//                               ^^^^^^^ unknown-agent There is no agent "Revewer". Did you mean "Reviewer"?
      { "name": "two", "agent": "Writer" },
//                              ^^^^^^^^ unknown-agent There is no agent "Writer". There is Reviewer.
      { "name": "three", "agent": "Reviewer@v1" },
      { "name": "four", "agent": "Reviewer" },
      { "name": "five", "agent": "Reviewer@v9" },
      { "name": "six", "agent": "\${AGENT}@v1" }
    ] }
  }
}
${agents}`));

test('the fix keeps the form of the reference, and takes a version that is there', async () => {
  const task = (agent: string) => `--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "one", "agent": "${agent}" }] } } }
${agents}`;
  const nearest = async (agent: string) => (await findingsOf(task(agent), ['unknown-agent'])).map(({ data }) => data?.nearest);
  expect(await nearest('Reviwer@v1')).toEqual([['Reviewer@v1']]);
  expect(await nearest('Reviwer@v7')).toEqual([['Reviewer@v2']]);
  expect(await nearest('Reviwer')).toEqual([['Reviewer']]);
  expect(await nearest('constructor@v1')).toEqual([[]]);
  expect(await nearest('__proto__')).toEqual([[]]);
});

test('plans of agents, personas, system.json and tasks name agents too', () =>
  check(`{ "execution_plan": { "steps": [{ "name": "one", "agent": "Rewiever" }] } }
//                                                        ^^^^^^^^^^ unknown-agent
--- config/personas/lead.json
{ "execution_plan": { "steps": [{ "name": "one", "agent": "Writer@v1" }] } }
//                                                         ^^^^^^ unknown-agent
--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "persona_key": "lead", "config": { "execution_plan": { "steps": [{ "agent": "Writer" }] } } }] } } }
//                                                                                                          ^^^^^^^^ unknown-agent
${agents}`));

test('a folder of payloads may belong to an orchestration', () =>
  check(`--- config/payloads/flow/first.json
{ "input": {} }
--- config/orchestrations/flow.json
{ "name": "flow" }
`));

test('a folder of payloads and a section of system.json belong to an agent', () =>
  check(`--- config/payloads/Reviwer/first.json
{ "input": {} }
^ unknown-agent There is no agent "Reviwer". Did you mean "Reviewer"?
--- config/system.json
{ "agents": { "Reviwer": {}, "Reviewer": {} } }
//            ^^^^^^^^^ unknown-agent
${agents}`));

test('where there are orchestrations, a section may be about a persona at work', () =>
  check(`--- config/system.json
{ "agents": { "draft": {}, "Reviwer": {} } }
//                         ^^^^^^^^^ unknown-agent There is no agent "Reviwer". Did you mean "Reviewer"?
--- config/orchestrations/flow.json
{ "teams": {} }
${agents}`));
