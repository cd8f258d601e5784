import { type CompletionCase, orchestrationPath } from './case.js';

/** Forms for whole files and parts. */
export const formCases: readonly CompletionCase[] = [
  {
    name: 'an agent for each mode in an empty file',
    path: 'config/agents/Fresh/v2.json',
    text: '|',
    only: ['Chooser agent', 'Writer agent', 'Extractor agent', 'plain agent', 'react agent', 'orchestrating agent'],
    take: 'react agent',
    after:
      '{\n  "agent_name": "Fresh",\n  "version": "v2",\n  "description": "What the agent does, in a sentence.",\n  "agent_type": "react",\n  "system_text": "You are Fresh.",\n  "purpose_text": "Answer the task with the tools you have.",\n  "input_keys": ["task"],\n  "max_iterations": 10,\n  "budget": {\n    "max_cost": 0.05\n  }\n}',
  },
  { name: 'after half a word', path: 'config/agents/Fresh/v2.json', text: 'Wri|', offers: ['Writer agent'] },
  {
    name: 'in an empty object on one line',
    path: 'config/llms/mine.json',
    text: '{|}',
    first: ['llm profile', 'llm profile for a local server', 'offline llm profile'],
    take: 'offline llm profile',
    after: '{\n  "llm_id": "mine",\n  "provider": "offline",\n  "model_name": "offline"\n}',
  },
  {
    name: 'in an empty object on lines of its own',
    path: 'config/llms/mine.json',
    text: '{\n    |\n}\n',
    take: 'offline llm profile',
    after: '{\n    "llm_id": "mine",\n    "provider": "offline",\n    "model_name": "offline"\n}\n',
  },
  {
    name: 'beside what identifies the file',
    path: 'config/llms/mine.json',
    text: '{\n  "llm_id": "mine",\n  "|"\n}',
    take: 'offline llm profile',
    after: '{\n  "llm_id": "mine",\n  "provider": "offline",\n  "model_name": "offline"\n}',
  },
  {
    name: 'a persona',
    path: 'config/personas/kind_host.json',
    text: '|',
    only: ['persona'],
    take: 'persona',
    after: '{\n  "description": "What the persona is for.",\n  "system_text": "You are kind host."\n}',
  },
  {
    name: 'a prompt',
    path: 'config/prompts/ask/v7.json',
    text: '|\n',
    only: ['prompt', 'prompt with examples'],
    take: 'prompt',
    after: '{\n  "name": "ask",\n  "version": "v7",\n  "variables": ["input.text"],\n  "template": "You read this: {{input.text}}"\n}\n',
  },
  {
    name: 'a payload with the keys of its agent',
    path: 'config/payloads/Labels/two.json',
    text: '|',
    take: 'payload',
    after: '{\n  "input": {\n    "language": "",\n    "code": ""\n  }\n}',
  },
  {
    name: 'an orchestration',
    path: 'config/orchestrations/fresh.json',
    text: '|',
    take: 'orchestration',
    after:
      '{\n  "name": "fresh",\n  "entry_team": "first",\n  "context": {},\n  "teams": {\n    "first": {\n      "name": "First",\n      "tasks": [\n        {\n          "name": "task",\n          "agent": "Labels@v1"\n        }\n      ],\n      "routing": {\n        "default": null\n      }\n    }\n  }\n}',
  },
  {
    name: 'an MCP server',
    path: 'config/mcp.json',
    text: '{ "servers": { | } }',
    only: ['stdio server', 'http server'],
    take: 'http server',
    after: '{ "servers": { "docs": {\n  "type": "http",\n  "url": "https://mcp.example.com/mcp"\n} } }',
  },
  { name: 'settings', path: 'agentstack.json', text: '|', only: ['project settings'] },
  {
    name: 'defaults',
    path: 'config/environments/fresh.json',
    text: '|',
    take: 'defaults of all agents',
    after: '{\n  "agent_defaults": {\n    "llm_config_id": "local"\n  }\n}',
  },
  {
    name: 'a team that is named and not there yet',
    path: orchestrationPath,
    text: '{\n  "entry_team": "triage",\n  "teams": {\n    "a": { "routing": { "default": "b" } },\n    "|"\n  }\n}',
    only: ['triage', 'b', 'new team'],
    take: 'b',
    after:
      '{\n  "entry_team": "triage",\n  "teams": {\n    "a": { "routing": { "default": "b" } },\n    "b": {\n      "name": "b",\n      "tasks": [\n        {\n          "name": "task",\n          "agent": "Labels@v1"\n        }\n      ],\n      "routing": {\n        "default": null\n      }\n    }\n  }\n}',
  },
  {
    name: 'a task',
    path: orchestrationPath,
    text: '{\n  "teams": {\n    "a": {\n      "tasks": [\n        |\n      ]\n    }\n  }\n}',
    only: ['task with an agent', 'task with a persona'],
    take: 'task with a persona',
    after:
      '{\n  "teams": {\n    "a": {\n      "tasks": [\n        {\n          "name": "task",\n          "agent_type": "single_shot",\n          "persona_key": "critic"\n        }\n      ]\n    }\n  }\n}',
  },
  {
    name: 'a rule, with the task of the team',
    path: orchestrationPath,
    text: '{ "teams": { "a": { "tasks": [{ "name": "label" }], "routing": { "rules": [|] } } } }',
    take: 'rule on a failure',
    after:
      '{ "teams": { "a": { "tasks": [{ "name": "label" }], "routing": { "rules": [{\n  "condition": {\n    "task": "label",\n    "status": "failure"\n  },\n  "next_team": null\n}] } } } }',
  },
  { name: 'a step', text: '{ "execution_plan": { "steps": [|] } }', only: ['llm step', 'agent step', 'skill step'] },
  { name: 'an example', path: 'config/prompts/review/v1.json', text: '{ "few_shot_examples": [|] }', only: ['example'] },
  { name: 'nothing in front of what is there', text: '|{ }', only: [] },
  { name: 'nothing behind what is there', text: '{ }\n|', only: [] },
];
