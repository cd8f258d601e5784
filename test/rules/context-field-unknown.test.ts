import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('context-field-unknown');

const orchestration = (context: string, input: string, routing: string) => `--- config/orchestrations/o.json
{
  "name": "o", "entry_team": "t",${context}
  "teams": { "t": { "name": "T",
    "tasks": [{ "name": "a", "agent": "A@v1", "input": {
${input}
    } }],
    "routing": {
${routing}
    }
  } }
}`;

test('a misspelt field is a warning in templates and conditions', () =>
  check(
    orchestration(
      ' "context": { "topic": "tea" },',
      `      "x": "about {{context.topik}}", "y": "{{context.topic.name}}", "z": "{{context}}"
//                ^^^^^^^^^^^^^^^^^ context-field-unknown Nothing sets "topik" in the context. Did you mean "topic"?`,
      `      "rules": [{ "condition": { "context_field": "rouns", "operator": "equals", "value": 1 }, "next_team": "t",
//                                                ^^^^^^^ context-field-unknown Nothing sets "rouns" in the context. Did you mean "rounds"?
        "context_updates": { "rounds": "{{context.rounds}}" } }],
      "default": null`,
    ),
  ));

test('a field that only an input can bring is information, where the context is declared', async () => {
  await check(
    orchestration(
      ' "context": { "topic": "tea" },',
      `      "x": "{{context.customer}}"
//          ^^^^^^^^^^^^^^^^^^^^ context-field-unknown Nothing here sets "customer" in the context, so the input of each run must.`,
      '      "default": null',
    ),
  );
  await check(orchestration('', '      "x": "{{context.customer}}"', '      "default": null'));
});

test('a field that only context_updates name is information, unless a task gets the whole context', async () => {
  const rules = `      "rules": [{ "condition": { "context_field": "topic", "operator": "exists" }, "next_team": "t",
        "context_updates": { "rounds": 1 } }],
//                           ^^^^^^^^ context-field-unknown Nothing reads "rounds" of the context: no template, no condition. Only the result of a run shows it.
      "default": null`;
  await check(orchestration(' "context": { "topic": "tea" },', '      "x": "{{context.topic}}"', rules));
  const silent = rules.replace(/^\/\/.*\n/m, '');
  await check(orchestration(' "context": { "topic": "tea" },', '      "x": "{{context}}"', silent));
});

test('a condition of a plan reads the input of its agent', () =>
  check(`{
  "agent_name": "A2", "version": "v1", "agent_type": "orchestrating", "input_keys": ["task"],
  "execution_plan": { "steps": [
    { "name": "a", "skill": "calculator", "when": { "context_field": "tasks", "operator": "exists" } },
//                                                                   ^^^^^^^ context-field-unknown The input of this agent has no "tasks", and a condition of a plan reads the input. Did you mean "task"?
    { "name": "b", "skill": "calculator", "when": { "context_field": "task.kind", "operator": "exists" } }
  ] }
}`));
