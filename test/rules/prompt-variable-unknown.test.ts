import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('prompt-variable-unknown');

test('a path that begins with neither input nor context is marked', () =>
  check(`--- config/prompts/p/v1.json
{
  "name": "p",
  "version": "v1",
  "template": "Task: {{task}}, {{ inpt.purpose }}, {{input.a}}, {{context.b}}"
//                   ^^^^^^^^ prompt-variable-unknown Nothing provides {{task}}: A path begins with input (the payload) or context. Did you mean "input.task"?
//                             ^^^^^^^^^^^^^^^^^^ prompt-variable-unknown Did you mean "input.purpose"?
}
`));

test('a path that the prompt does not declare is marked', () =>
  check(`--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "variables": ["input.task", "context"], "template": "{{input.tasks}} {{input.task.id}} {{context.user}}" }
//                                                                                   ^^^^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{input.tasks}}: "variables" does not declare it. Did you mean "input.task"?
`));

test('an agent whose input lacks what the template uses is marked on the reference', () =>
  check(`{
  "input_keys": ["task"],
  "prompts": { "system_prompt": "p@v1" }
//                              ^^^^^^ prompt-variable-unknown The prompt "p@v1" uses {{input.tasks}}, but the input of this agent has no "tasks". Did you mean "input.task"?
}
--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "{{input.task}} {{input.tasks}} {{input.tasks}}" }
//                                                          ^^^^^^^^^^^^^^^ related {{input.tasks}} is used here.
`));

test('keys of input_schema count as input, and a schema of alternatives says nothing', async () => {
  const prompt = `--- config/prompts/A2/v1.json
{ "name": "A2", "version": "v1", "template": "{{input.note}}" }
`;
  await check(
    `{ "input_keys": ["task"], "input_schema": { "properties": { "note": {} } }, "prompts": { "system_prompt_version": "v1" } }\n${prompt}`,
  );
  await check(`{ "input_schema": { "anyOf": [{}] , "properties": {} }, "prompts": { "system_prompt_version": "v1" } }\n${prompt}`);
  await check(`{ "prompts": { "system_prompt_version": "v1" } }\n${prompt}`);
});

test('a template that comes with a persona is judged by the agent’s input', () =>
  check(`{ "persona_key": "critic", "input_keys": ["task"] }
//               ^^^^^^^^ prompt-variable-unknown
--- config/personas/critic.json
{ "prompts": { "system_prompt": "p@v1" } }
--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "{{input.code}}" }
`));

test('the texts of a plain agent are templates of its input', async () => {
  await check(`{
  "input_keys": ["task", "received_on"],
  "system_text": "Answer {{like.this}} {{input.task}}",
//                       ^^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{like.this}}: a path here begins with input (the payload).
  "purpose_text": "{{x}}",
  "user_text": "On {{input.recieved_on}} and {{context.a}}: {{input}}"
//                 ^^^^^^^^^^^^^^^^^^^^^ prompt-variable-unknown the input of this agent has no "recieved_on". Did you mean "input.received_on"?
//                                           ^^^^^^^^^^^^^ prompt-variable-unknown a path here begins with input
}`);
  await check('{ "user_text": "{{input.anything}}" }');
});

test('a text from the persona is judged by the agent’s input', () =>
  check(`{ "persona_key": "critic", "input_keys": ["task"] }
//               ^^^^^^^^ prompt-variable-unknown config/personas/critic.json in user_text uses {{input.code}}, but the input of this agent has no "code".
--- config/personas/critic.json
{ "user_text": "{{input.code}}" }
//              ^^^^^^^^^^^^^^ related {{input.code}} is used here.
`));

test('with a mode, and in purpose_text, braces are plain text', async () => {
  await check(`{ "mode": "Writer", "system_text": "Answer {{like.this}}", "purpose_text": "{{x}}", "input_keys": [] }`);
  await check(`{ "agent_type": "react", "system_text": "{{like.this}}", "input_keys": [] }`);
});

test('the finding carries what a fix needs', async () => {
  const [finding] = await findingsOf(
    `--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "a {{x}}" }
`,
    ['prompt-variable-unknown'],
  );
  expect(finding?.data).toEqual({ path: 'x', nearest: ['input.x'], start: 2, end: 7 });
});

test('templates of a plan see its input and what its steps gave', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "agent_type": "orchestrating",
  "input_keys": ["task"],
  "execution_plan": {
    "steps": [
      { "name": "one", "skill": "find", "input": { "q": ["{{input.tusk}}", "{{input}} {{input.task.a}}"] } },
//                                                        ^^^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{input.tusk}}: the input of this agent has no "tusk". Did you mean "input.task"?
      { "name": "two", "llm": "{{steps.one.output.a}} {{steps.one.text}} {{one.output.b}} {{task}} {{context.round}}" }
//                                                    ^^^^^^^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{steps.one.text}}: the output of a step is steps.<name>.output. Did you mean "steps.one.output.text"?
//                                                                       ^^^^^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{one.output.b}}: a path in a plan begins with input (the payload) or steps.<name>.output. Did you mean "steps.one.output.b"?
//                                                                                        ^^^^^^^^ prompt-variable-unknown Nothing provides {{task}}: a path in a plan begins with input (the payload) or steps.<name>.output. Did you mean "input.task"?
//                                                                                                 ^^^^^^^^^^^^^^^^^ prompt-variable-unknown
    ],
    "output": { "a": "{{steps.two}}", "{{x}}": "{{imput.task}}" }
//                    ^^^^^^^^^^^^^ prompt-variable-unknown
//                                              ^^^^^^^^^^^^^^ prompt-variable-unknown
  }
}
`));

test('templates of an orchestration see its context and what tasks gave', () =>
  check(`--- config/orchestrations/o.json
{
  "name": "o",
  "entry_team": "t",
  "teams": {
    "t": {
      "name": "T",
      "tasks": [
        { "name": "one", "agent": "A2", "input": { "q": ["{{contxt.a}}", "{{context}} {{context.a.b}} {{input.a}}"] } },
//                                                        ^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{contxt.a}}: a path here begins with context, input (the context the run began with) or tasks.<name>.output. Did you mean "context.a"?
        { "name": "two", "agent": "A2", "input": { "q": "{{tasks.one.output.x}} {{tasks.one.x}} {{one.output}} {{steps.one.output}}" } }
//                                                                              ^^^^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{tasks.one.x}}: the output of a task is tasks.<name>.output. Did you mean "tasks.one.output.x"?
//                                                                                              ^^^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{one.output}}: a path here begins with context, input (the context the run began with) or tasks.<name>.output. Did you mean "tasks.one.output"?
//                                                                                                             ^^^^^^^^^^^^^^^^^^^^ prompt-variable-unknown
      ],
      "routing": {
        "rules": [{ "condition": [], "next_team": null, "context_updates": { "{{x}}": "{{tasks}}" } }],
//                                                                                     ^^^^^^^^^ prompt-variable-unknown Nothing provides {{tasks}}: the output of a task is tasks.<name>.output. Did you mean "tasks.one.output" or "tasks.two.output"?
        "default": null
      }
    }
  }
}
`));

const review = `--- config/agents/Review/v1.json
{
  "agent_name": "Review", "version": "v1",
  "output_schema": {
    "type": "object", "additionalProperties": false,
    "properties": { "verdict": { "type": "string" }, "more": { "type": "object", "properties": { "why": { "type": "string" } } }, "list": { "type": "array" } }
  }
}
`;

test('a path below the output of a step is judged by what its agent promises', () =>
  check(`{
  "agent_type": "orchestrating",
  "execution_plan": {
    "steps": [
      { "name": "one", "agent": "Review@v1" },
      { "name": "two", "llm": "{{steps.one.output.verdct}} {{steps.one.output.verdict}} {{steps.one.output.list.0.x}} {{steps.one.output.verdict.x}} {{loop.index}}" },
//                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ prompt-variable-unknown Nothing provides {{steps.one.output.verdct}}: the output of the step "one" has no "verdct". Did you mean "steps.one.output.verdict"?
//                                                                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ prompt-variable-unknown "verdict" of it has no "x".
//                                                                                                                                                   ^^^^^^^^^^^^^^ prompt-variable-unknown a path in a plan begins with
      { "name": "three", "skill": "search_files", "input": { "query": "{{steps.two.output.text}} {{steps.two.output}} {{steps.one.output.more.wy}}" } }
//                                                                     ^^^^^^^^^^^^^^^^^^^^^^^^^ prompt-variable-unknown the output of the step "two" is a text. Only an agent with an output_schema gives fields. Did you mean "steps.two.output"?
//                                                                                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ prompt-variable-unknown Nothing promises {{steps.one.output.more.wy}}: "more" of it has no "wy". Did you mean "steps.one.output.more.why"?
    ],
    "output": "{{steps.three.output.results}}"
  }
}
${review}`));

test('a path below the output of a task is judged by what its agent promises', () =>
  check(`--- config/orchestrations/o.json
{
  "name": "o", "entry_team": "t",
  "teams": { "t": { "name": "T",
    "tasks": [{ "name": "one", "agent": "Review" }, { "name": "two", "agent": "Review", "input": { "a": "{{tasks.one.output.score}}" } }],
//                                                                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^ prompt-variable-unknown the output of the task "one" has no "score". It has verdict, more
    "routing": { "rules": [{ "condition": [], "next_team": null, "context_updates": { "v": "{{tasks.two.output.verdict}}", "w": "{{tasks.two.output.x}}" } }] }
//                                                                                                                               ^^^^^^^^^^^^^^^^^^^^^^ prompt-variable-unknown
  } }
}
${review}`));
