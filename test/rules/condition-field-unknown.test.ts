import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { reviewAgent } from '../support/reviewAgent.js';

const check = checkRule('condition-field-unknown');

test('the part of the path that is not there is marked, with the nearest', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review" }], "routing": { "rules": [
    { "condition": { "task": "review", "output_field": "verdct", "operator": "exists" }, "next_team": null },
//                                                      ^^^^^^ condition-field-unknown The output of the task "review" has no field "verdct". Did you mean "verdict"?
    { "condition": { "task": "review", "output_field": "style.style", "operator": "exists" }, "next_team": null },
//                                                            ^^^^^ condition-field-unknown "style" of the task "review" has no field "style". It has "tone".
    { "condition": { "task": "review", "output_field": "score.value", "operator": "exists" }, "next_team": null },
//                                                            ^^^^^ condition-field-unknown
    { "condition": { "task": "review", "output_field": "style.tone", "operator": "exists" }, "next_team": null },
    { "condition": { "task": "review", "output_field": "tags.0.x", "operator": "exists" }, "next_team": null },
//                                                             ^ condition-field-unknown "tags.0" of the task "review" has no field "x".
    { "condition": { "context_field": "anything", "operator": "exists" }, "next_team": null }
  ] } } }
}
${reviewAgent}`));

test('the schema is shown, where it is: in the agent, the persona or the config', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [
    { "name": "one", "persona_key": "critic" },
    { "name": "two", "persona_key": "critic", "config": { "output_schema": { "type": "object", "properties": { "b": {} } } } }
//                                                        ^^^^^^^^^^^^^^^ related The fields are listed here.
  ], "routing": { "rules": [
    { "condition": { "task": "one", "output_field": "b", "operator": "exists" }, "next_team": null },
//                                                   ^ condition-field-unknown
    { "condition": { "task": "two", "output_field": "a", "operator": "exists" }, "next_team": null }
//                                                   ^ condition-field-unknown
  ] } } }
}
--- config/personas/critic.json
{ "output_schema": { "type": "object", "properties": { "a": { "type": "string" } } } }
//^^^^^^^^^^^^^^^ related The fields are listed here.
`));

// Source document 004: a persona without a schema, and its own routing example.
test('an answer in text has no fields', () =>
  check(`--- config/orchestrations/flow.json
{
  "teams": { "a": { "tasks": [
    { "name": "review", "persona_key": "critic" },
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ related This agent answers in text.
    { "name": "plan", "persona_key": "planner" },
    { "name": "final", "persona_key": "critic", "config": { "tool_protocol": "text" } }
  ], "routing": { "rules": [
    { "condition": { "task": "review", "output_field": "status", "operator": "equals", "value": "FAIL" }, "next_team": null },
//                                                      ^^^^^^ condition-field-unknown The output of the task "review" is the text of an answer and has no field "status". Give the agent an output_schema that has it.
    { "condition": { "task": "plan", "output_field": "status", "operator": "exists" }, "next_team": null },
    { "condition": { "task": "final", "output_field": "status", "operator": "exists" }, "next_team": null }
  ] } } }
}
--- config/personas/critic.json
{ "agent_type": "react", "system_text": "You review." }
--- config/personas/planner.json
{ "agent_type": "orchestrating", "execution_plan": { "steps": [] } }
`));

test('the fix is the whole path', async () => {
  const found = await findingsOf(
    `--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "review", "agent": "Review@v1" }], "routing": { "rules": [
  { "condition": { "task": "review", "output_field": "style.ton", "operator": "exists" }, "next_team": null }
] } } } }
${reviewAgent}`,
    ['condition-field-unknown'],
  );
  expect(found.map(({ data }) => data)).toEqual([{ path: 'style.ton', missing: 'ton', nearest: ['style.tone'] }]);
});

test('nothing is said of an agent that is not there, that is broken, or that a variable names', async () => {
  const flow = (agent: string) => `--- config/orchestrations/flow.json
{ "teams": { "a": { "tasks": [{ "name": "review", ${agent} }], "routing": { "rules": [
  { "condition": { "task": "review", "output_field": "x", "operator": "exists" }, "next_team": null }
] } } } }
`;
  await check(flow('"agent": "Nobody@v1"'));
  await check(`${flow('"agent": "Broken@v1"')}--- config/agents/Broken/v1.json\n{ "output_schema": {\n`);
  await check(flow(`"agent": "\${AGENT}"`) + reviewAgent);
  await check(flow('"persona_key": "nobody"'));
  await check(
    `${flow('"agent": "Open@v1"')}--- config/agents/Open/v1.json\n{ "persona_key": "\${P}", "output_schema": { "properties": {} } }\n`,
  );
});

test('conditions of a plan look at what its agents answer', () =>
  check(`--- config/agents/Review/v1.json
{
  "agent_name": "Review",
  "version": "v1",
  "output_schema": { "type": "object", "required": ["verdict"], "additionalProperties": false, "properties": { "verdict": { "type": "string" } } }
}
--- config/agents/Plan/v1.json
{
  "agent_name": "Plan",
  "version": "v1",
  "agent_type": "orchestrating",
  "execution_plan": {
    "steps": [
      { "name": "review", "agent": "Review@v1", "repeat": { "max": 2, "until": { "step": "review", "output_field": "verdit", "operator": "equals", "value": "pass" } } },
//                                                                                                                  ^^^^^^ condition-field-unknown The output of the step "review" has no field "verdit". Did you mean "verdict"?
      { "name": "find", "skill": "search_files", "when": { "step": "review", "output_field": "verdict", "operator": "exists" } },
      { "name": "say", "llm": "Hi.", "when": [{ "step": "find", "output_field": "any", "operator": "exists" }, { "context_field": "x", "operator": "exists" }] }
    ]
  }
}
`));

test('the output of a prompt is a text, which has no fields', () =>
  check(`{
  "agent_type": "orchestrating",
  "execution_plan": {
    "steps": [
      { "name": "ask", "llm": "Is it?" },
      { "name": "look", "skill": "search_files", "when": { "step": "ask", "output_field": "answer", "operator": "equals", "value": "yes" } },
//                                                                                         ^^^^^^ condition-field-unknown The output of the step "ask" is the text of an answer and has no field "answer".
      { "name": "tell", "llm": "Tell.", "when": { "step": "look", "output_field": "results", "operator": "exists" } }
    ]
  }
}`));
