import { type CompletionCase, orchestrationPath } from './case.js';

const flow = (input: string, updates = '1') =>
  `{ "context": { "topic": "x" }, "teams": { "t": { "name": "T", "tasks": [{ "name": "a", "agent": "Labels@v1" }, { "name": "b", "persona_key": "critic", "input": { "text": ${input} } }], "routing": { "rules": [{ "condition": { "task": "a", "status": "success" }, "next_team": null, "context_updates": { "late": ${updates} } }] } } } }`;

/** Inside strings: templates, variables, secrets. */
export const textCases: readonly CompletionCase[] = [
  {
    name: 'paths of a prompt: keys of the agents that use it',
    path: 'config/prompts/review/v1.json',
    text: '{ "template": "Review {{|" }',
    first: ['input.language', 'input.code'],
    offers: ['input', 'context'],
    take: 'input.code',
    after: '{ "template": "Review {{input.code}}" }',
  },
  {
    name: 'braces that are closed stay as they are',
    path: 'config/prompts/review/v1.json',
    text: '{ "template": "Review {{ input.la|xx }} now" }',
    take: 'input.language',
    after: '{ "template": "Review {{ input.language }} now" }',
  },
  {
    name: 'one closing brace',
    path: 'config/prompts/review/v1.json',
    text: '{ "template": "{{|}" }',
    take: 'input.code',
    after: '{ "template": "{{input.code}}" }',
  },
  {
    name: 'behind escapes and emoji',
    path: 'config/prompts/review/v1.json',
    text: '{ "template": "\\"😀\\"\\n\\u00e9 {{input.|}}" }',
    take: 'input.code',
    after: '{ "template": "\\"😀\\"\\n\\u00e9 {{input.code}}" }',
  },
  {
    name: 'an open quote',
    path: 'config/prompts/review/v1.json',
    text: '{\n  "template": "{{inp|\n}',
    take: 'input.code',
    staysBroken: true,
    after: '{\n  "template": "{{input.code}}\n}',
  },
  {
    name: 'declared variables first',
    path: 'config/prompts/review/v1.json',
    text: '{ "variables": ["input.level"], "template": "{{|}}" }',
    first: ['input.level', 'input.language'],
  },
  { name: 'no paths in texts that are no templates', text: '{ "system_text": "{{|" }', only: [] },
  {
    name: 'outputs and context in the input of a task',
    path: orchestrationPath,
    text: flow('"{{|}}"'),
    first: ['tasks.a.output.tone', 'tasks.a.output.score'],
    offers: ['tasks.a.output', 'tasks.a.output.notes.count', 'context.topic', 'context.late', 'input.topic'],
    lacks: ['tasks.b.output'],
    take: 'tasks.a.output.tone',
    after: flow('"{{tasks.a.output.tone}}"'),
  },
  {
    name: 'both tasks in what changes the context',
    path: orchestrationPath,
    text: flow('1', '"{{ta|"'),
    offers: ['tasks.a.output.tone', 'tasks.b.output.verdict'],
    take: 'tasks.b.output.verdict',
    after: flow('1', '"{{tasks.b.output.verdict}}"'),
  },
  {
    name: 'input and steps in a plan',
    text: '{ "input_keys": ["text"], "execution_plan": { "steps": [{ "name": "one", "agent": "Labels@v1" }, { "name": "two", "llm": "{{|" }] } }',
    first: ['input.text', 'steps.one.output.tone'],
    lacks: ['steps.two.output', 'context'],
    take: 'steps.one.output',
    after:
      '{ "input_keys": ["text"], "execution_plan": { "steps": [{ "name": "one", "agent": "Labels@v1" }, { "name": "two", "llm": "{{steps.one.output}}" }] } }',
  },
  {
    name: 'every step in the output of a plan',
    text: '{ "execution_plan": { "steps": [{ "name": "one", "llm": "x" }], "output": "{{|}}" } }',
    offers: ['steps.one.output'],
  },
  {
    name: "keys of the input of the task's agent, from the context where that has them",
    path: orchestrationPath,
    text: '{ "context": { "code": "x" }, "teams": { "t": { "tasks": [{ "name": "a", "agent": "Labels@v1", "input": { "|" } }] } } }',
    only: ['language', 'code'],
    take: 'code',
    after:
      '{ "context": { "code": "x" }, "teams": { "t": { "tasks": [{ "name": "a", "agent": "Labels@v1", "input": { "code": "{{context.code}}" } }] } } }',
  },
  {
    name: 'steps that have run by then, and no later ones',
    text: '{ "execution_plan": { "steps": [{ "name": "one", "llm": "x" }, { "name": "two", "llm": "{{st|" }, { "name": "three", "llm": "x" }] } }',
    offers: ['steps.one.output'],
    lacks: ['steps.two.output', 'steps.three.output'],
  },
  {
    name: 'tasks that are done by then, and no others',
    path: orchestrationPath,
    text: '{ "teams": { "t": { "tasks": [{ "name": "a", "agent": "Labels@v1" }, { "name": "b", "agent": "Labels@v1", "depends_on": [] }, { "name": "c", "agent": "Labels@v1", "input": { "code": "{{ta|" } }] } } }',
    offers: ['tasks.a.output.tone'],
    lacks: ['tasks.b.output', 'tasks.c.output'],
  },
  {
    name: "keys of the input of a step's agent, from the input of the plan where that has them",
    text: '{ "input_keys": ["code"], "execution_plan": { "steps": [{ "name": "one", "agent": "Labels@v1", "input": { "|" } }] } }',
    only: ['language', 'code'],
    take: 'code',
    after:
      '{ "input_keys": ["code"], "execution_plan": { "steps": [{ "name": "one", "agent": "Labels@v1", "input": { "code": "{{input.code}}" } }] } }',
  },
  {
    name: "keys of the input of a step's skill, also in the plan of a task",
    path: orchestrationPath,
    text: '{ "teams": { "t": { "tasks": [{ "name": "a", "agent": "Labels@v1", "config": { "execution_plan": { "steps": [{ "name": "one", "skill": "fetch_document", "input": { "|" } }] } } }] } } }',
    first: ['id'],
  },
  {
    name: 'keys of the input in a condition of a plan',
    text: '{ "input_keys": ["code"], "execution_plan": { "steps": [{ "name": "one", "llm": "x", "when": { "context_field": "|" } }] } }',
    only: ['code'],
  },
  {
    name: 'steps that a condition may look at: those before, and the step itself where it is to be repeated',
    text: '{ "execution_plan": { "steps": [{ "name": "one", "llm": "x" }, { "name": "two", "llm": "x", "when": { "step": "|" } }, { "name": "three", "llm": "x" }] } }',
    only: ['one'],
  },
  {
    name: 'variables: those in use, then those that are set, by name',
    text: '{ "description": "${|" }',
    only: ['LOCAL_URL', 'HOME', 'LOCAL_TOKEN'],
    take: 'LOCAL_URL',
    after: '{ "description": "${LOCAL_URL}" }',
  },
  {
    name: 'a variable half typed, its brace closed',
    text: '{ "llm_config_id": "x-${HO|XX}" }',
    take: 'HOME',
    after: '{ "llm_config_id": "x-${HOME}" }',
  },
  { name: 'a dollar needs no brace for its variable to be left alone', text: '{ "description": "$|" }', only: [] },
  { name: 'no variables in what identifies a file', text: '{ "agent_name": "${|" }', lacks: ['HOME', 'LOCAL_URL'] },
  { name: 'no variables in a fallback', text: '{ "description": "${LOCAL_URL:-|}" }', only: [] },
  {
    name: 'placeholders of an MCP server are those of the editor',
    path: 'config/mcp.json',
    text: '{ "inputs": [{ "id": "token", "type": "promptString" }], "servers": { "m": { "command": "npx", "env": { "T": "${|" } } } }',
    first: ['input:token', 'workspaceFolder'],
    offers: ['env:HOME'],
    take: 'input:token',
    after:
      '{ "inputs": [{ "id": "token", "type": "promptString" }], "servers": { "m": { "command": "npx", "env": { "T": "${input:token}" } } } }',
  },
  {
    name: 'secrets in use',
    path: 'config/llms/local.json',
    text: '{ "api_key": "secret://|" }',
    only: ['openai_key', 'local_api_key'],
    take: 'openai_key',
    after: '{ "api_key": "secret://openai_key" }',
  },
  {
    name: 'a secret half typed',
    path: 'config/llms/local.json',
    text: '{ "api_key": "secret://op|xx" }',
    take: 'openai_key',
    after: '{ "api_key": "secret://openai_key" }',
  },
];
