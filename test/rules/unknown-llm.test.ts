import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('unknown-llm');
const profile = `--- config/llms/openai.json
{ "llm_id": "openai", "model_name": "gpt-5.4-mini" }
`;

test('a profile that does not exist is marked with the nearest', () =>
  check(`{
  "llm_config_id": "opneai"
//                 ^^^^^^^^ unknown-llm There is no llm profile "opneai". Did you mean "openai"?
}
${profile}`));

test('where nothing looks alike, the profiles there are are listed', async () => {
  await check(`{ "llm_config_id": "local" }
//                 ^^^^^^^ unknown-llm There is openai.
${profile}`);
  await check(`{ "llm_config_id": "local" }
//                 ^^^^^^^ unknown-llm The project has none.
`);
});

test('an existing profile, a variable and null stay', async () => {
  await check(`{ "llm_config_id": "openai" }\n${profile}`);
  await check(`{ "llm_config_id": "\${PROFILE:-openai}" }\n${profile}`);
  await check(`{ "llm_config_id": null }\n${profile}`);
});

test('personas, system.json and environments refer to profiles too', () =>
  check(`{}
${profile}--- config/personas/critic.json
{ "llm_config_id": "openia" }
//                 ^^^^^^^^ unknown-llm
--- config/system.json
{
  "agent_defaults": { "llm_config_id": "gone" },
//                                     ^^^^^^ unknown-llm
  "agents": { "A2": { "llm_config_id": "gone" } },
//                                     ^^^^^^ unknown-llm
  "llms": { "opena": { "temperature": 0 } }
//          ^^^^^^^ unknown-llm Did you mean "openai"?
}
`));

test('names of the object prototype are ordinary names', async () => {
  const found = await findingsOf(`{ "llm_config_id": "constructor" }`, ['unknown-llm']);
  expect(found.map(({ data }) => data)).toEqual([{ id: 'constructor', nearest: [] }]);
});

test('the config of a task refers to profiles too', () =>
  check(`--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "one", "agent": "A2@v1", "config": { "llm_config_id": "opena" } }] } } }
//                                                                                            ^^^^^^^ unknown-llm Did you mean "openai"?
${profile}`));
