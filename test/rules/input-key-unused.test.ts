import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('input-key-unused');
const prompt = (template: string, more = '') => `--- config/prompts/shape/v1.json
{ "name": "shape", "version": "v1", "template": "${template}"${more} }
`;

test('a key that the template does not use is marked, and the template is shown', () =>
  check(`{
  "prompts": { "system_prompt": "shape@v1" }, "user_text": "Go.",
//                                                         ^^^^^ related The template is here.
  "input_keys": ["task", "purpose"]
//                       ^^^^^^^^^ input-key-unused The payload must have "purpose", but no template of this agent uses it. Use {{input.purpose}}, or remove the key.
}
--- config/prompts/shape/v1.json
{ "template": "Do {{input.task}}, input.purpose" }
//            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ related The template is here.
`));

test('the whole input, a part of a key, and an example of the prompt use it', async () => {
  const agent = '{ "prompts": { "system_prompt": "shape@v1" }, "user_text": "Go.", "input_keys": ["task", "purpose"] }\n';
  await check(agent + prompt('{{input}}'));
  await check(agent + prompt('{{input.task.title}} {{input.purpose}}'));
  await check(agent + prompt('{{input.task}}', ', "few_shot_examples": [{ "input": { "purpose": "x" }, "output": {} }]'));
});

test('examples that are not sent use nothing', () =>
  check(`{ "prompts": { "system_prompt": "shape@v1", "few_shot_examples": false }, "user_text": "Go.", "input_keys": ["task"] }
//                                                                                                           ^^^^^^ input-key-unused
${prompt('x', ', "few_shot_examples": [{ "input": { "task": "x" }, "output": {} }]')}`));

test('an agent that sends its whole payload uses every key, whatever its template names', async () => {
  await check(`{ "prompts": { "system_prompt": "shape@v1" }, "input_keys": ["task", "purpose"] }\n${prompt('{{input.task}}')}`);
  await check(`{ "mode": "Writer", "prompts": { "system_prompt": "shape@v1" }, "input_keys": ["task"] }\n${prompt('x')}`);
  await check(`{ "agent_type": "react", "prompts": { "system_prompt": "shape@v1" }, "input_keys": ["task"] }\n${prompt('x')}`);
});

test('without a template there is nothing that could use a key', async () => {
  await check('{ "input_keys": ["task"] }');
  await check(`{ "input_keys": ["task"] }\n${prompt('x')}`);
  await check(`{ "input_keys": ["task"], "prompts": { "system_prompt": "gone@v1" } }\n${prompt('x')}`);
});

test('a plan uses what its templates name, and all where a step gets the input as it is', async () => {
  await check(`{
  "input_keys": ["task", "purpose"],
//                       ^^^^^^^^^ input-key-unused
  "execution_plan": { "steps": [{ "name": "one", "skill": "find", "input": { "a": ["{{input.task}}"] } }] }
}`);
  await check('{ "input_keys": ["task"], "execution_plan": { "steps": [{ "name": "one", "skill": "find" }] } }');
});

test('a template from the persona counts', () =>
  check(`{ "persona_key": "shaper", "user_text": "Go.", "input_keys": ["task", "purpose"] }
//                                                                    ^^^^^^^^^ input-key-unused
--- config/personas/shaper.json
{ "prompts": { "system_prompt": "shape@v1" } }
${prompt('{{input.task}}')}`));

test('a user_text takes the place of the payload, so it and the system_text name what is used', async () => {
  await check(`{ "system_text": "For {{input.reader}}.", "user_text": "{{input.task}}", "input_keys": ["task", "reader", "day"] }
//                                                                                                        ^^^^^ input-key-unused
`);
  await check('{ "system_text": "For {{input.reader}}.", "input_keys": ["task", "reader"] }');
  await check('{ "mode": "Writer", "user_text": "x", "input_keys": ["task"] }');
});
