import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('unknown-agent-version');
const agents = `--- config/agents/Reviewer/v1.json
{}
--- config/agents/Reviewer/v12.json
{}
`;

test('a version that the agent does not have is marked alone', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [
    { "name": "one", "agent": "Reviewer@v11" },
//                                      ^^^ unknown-agent-version The agent "Reviewer" has no version "v11". Did you mean
    { "name": "two", "agent": "Reviewer@2026-01" },
//                                      ^^^^^^^ unknown-agent-version It has "v1" and "v12".
    { "name": "three", "agent": "Reviewer@v12" },
    { "name": "four", "agent": "Reviewer" },
    { "name": "five", "agent": "Nobody@v1" }
  ] } }
}
${agents}`));

test('the fix is the whole reference; where nothing is alike, to the newest version', async () => {
  const nearest = async (agent: string) =>
    (await findingsOf(`{ "execution_plan": { "steps": [{ "agent": "${agent}" }] } }\n${agents}`, ['unknown-agent-version'])).map(
      ({ data }) => data?.nearest,
    );
  expect(await nearest('Reviewer@v13')).toEqual([['Reviewer@v1', 'Reviewer@v12']]);
  expect(await nearest('Reviewer@2026-01')).toEqual([['Reviewer@v12']]);
});
