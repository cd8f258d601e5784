import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unknown-prompt');
const store = `--- config/prompts/A2/v1.json
{ "name": "A2", "version": "v1", "template": "Hello" }
`;

test('a prompt, or a version of one, that does not exist is marked with the nearest', () =>
  check(`{
  "prompts": { "system_prompt": "A2@v2", "system_prompt_version": "v3" }
//                              ^^^^^^^ unknown-prompt There is no prompt "A2@v2". Did you mean "A2@v1"?
//                                                                ^^^^ unknown-prompt There is no prompt "A2@v3".
}
${store}`));

test('an existing prompt, whole or by version, stays', async () => {
  await check(`{ "agent_name": "A2", "prompts": { "system_prompt": "A2@v1" } }\n${store}`);
  await check(`{ "agent_name": "A2", "prompts": { "system_prompt_version": "v1" } }\n${store}`);
});

test('a persona refers to prompts too', () =>
  check(`{}
${store}--- config/personas/critic.json
{ "prompts": { "system_prompt": "critic@v1" } }
//                              ^^^^^^^^^^^ unknown-prompt
`));

test('the config of a task refers to prompts, by version to those called like its agent or the task', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [
    { "name": "one", "agent": "A2@v1", "config": { "prompts": { "system_prompt": "gone@v1" } } },
//                                                                               ^^^^^^^^^ unknown-prompt
    { "name": "two", "agent": "A2", "config": { "prompts": { "system_prompt_version": "v1" } } },
    { "name": "shape", "persona_key": "x", "config": { "prompts": { "system_prompt_version": "v1" } } },
    { "name": "other", "persona_key": "x", "config": { "prompts": { "system_prompt_version": "v1" } } }
//                                                                                           ^^^^ unknown-prompt
  ] } }
}
--- config/prompts/A2/v1.json
{ "name": "A2", "version": "v1", "template": "x" }
--- config/prompts/shape/v1.json
{ "name": "shape", "version": "v1", "template": "x" }
`));
