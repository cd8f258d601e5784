import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('few-shot-fits-schema');

const schema = `"output_schema": { "type": "object", "required": ["tone"], "properties": { "tone": { "enum": ["direct", "formal"] } } }`;
const prompt = `--- config/prompts/shaper/v1.json
{
  "name": "shaper",
  "version": "v1",
  "template": "x",
  "few_shot_examples": [
    { "input": "a", "output": { "tone": "direct" } },
    { "input": "b", "output": { "tone": "formel" } },
    { "input": "c", "output": {} }
  ]
}`;

test('examples that the schema refuses are marked where the prompt is named, with the place in the example', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "prompts": { "system_prompt": "shaper@v1" }, ${schema} }
//                                                                   ^^^^^^^^^^^ few-shot-fits-schema Example 2 of the prompt "shaper@v1" shows an answer that output_schema refuses: its output.tone is "formel"
//                                                                   ^^^^^^^^^^^ few-shot-fits-schema Example 3 of the prompt "shaper@v1" shows an answer that output_schema refuses: its output must have the field "tone".
--- config/prompts/shaper/v1.json
{
  "name": "shaper",
  "version": "v1",
  "template": "x",
  "few_shot_examples": [
    { "input": "a", "output": { "tone": "direct" } },
    { "input": "b", "output": { "tone": "formel" } },
//                                      ^^^^^^^^ related Did you mean "formal"?
    { "input": "c", "output": {} }
//                            ^^ related must have the field "tone"
  ]
}`));

test('a prompt named by its version alone is the agent’s own', () =>
  check(`--- config/agents/shaper/v1.json
{ "agent_name": "shaper", "version": "v1", "prompts": { "system_prompt_version": "v1" }, ${schema} }
//                                                                               ^^^^ few-shot-fits-schema Example 2
//                                                                               ^^^^ few-shot-fits-schema Example 3
${prompt}`));

test('examples that are not sent are not judged', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "prompts": { "system_prompt": "shaper@v1", "few_shot_examples": false }, ${schema} }
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "prompts": { "system_prompt": "shaper@v1" } }
--- config/agents/A4/v1.json
{ "agent_name": "A4", "version": "v1", ${schema} }
${prompt}`));

test('prompt and schema may come from a persona', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "p", "prompts": { "system_prompt": "shaper@v1" } }
//                                                                                       ^^^^^^^^^^^ few-shot-fits-schema Example 2
//                                                                                       ^^^^^^^^^^^ few-shot-fits-schema Example 3
--- config/agents/A3/v1.json
{ "agent_name": "A3", "version": "v1", "persona_key": "q", ${schema} }
//                                                    ^^^ few-shot-fits-schema Example 2
//                                                    ^^^ few-shot-fits-schema Example 3
--- config/personas/p.json
{ ${schema} }
--- config/personas/q.json
{ "prompts": { "system_prompt": "shaper@v1" } }
${prompt}`));

test('tools know which example and what is wrong', async () => {
  const fixture = `--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "prompts": { "system_prompt": "shaper@v1" }, ${schema} }
${prompt}`;
  const [finding] = await findingsOf(fixture, ['few-shot-fits-schema']);
  expect(finding?.data).toMatchObject({ prompt: 'shaper@v1', example: 2, issues: [{ path: '/tone', keyword: 'enum' }] });
});
