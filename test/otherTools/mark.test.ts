import { expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import { otherTools } from '../../core/otherTools/index.js';
import { foreignKeys, hasMark, isOfProject } from '../../core/otherTools/mark.js';

test('the names that other tools give our fields are those of their files', () => {
  const names = otherTools.flatMap(({ names = {}, groups = {} }) => [...Object.keys(names), ...Object.keys(groups)]);
  expect([...foreignKeys].sort()).toEqual([...new Set(names)].sort());
});

const of = (kind: Kind, value: Json) => hasMark(kind, value, JSON.stringify(value));

test.each<[string, Kind, Json]>([
  ['our $schema', 'llm', { $schema: 'https://example.com/schemas/llm.schema.json' }],
  ['agent_name and version', 'agent', { agent_name: 'A', version: 'v1' }],
  ['fields of the kind', 'orchestration', { entry_team: 'a', teams: {} }],
  ["other tools' names", 'agent', { name: 'A', system_prompt: 'x', mcp_servers: [] }],
])('a file shows by %s that it is ours', (_name, kind, value) => expect(of(kind, value)).toBe(true));

test.each<[string, Kind, Json]>([
  ['a router', 'llm', { routes: [], default: 'x' }],
  ['a model list', 'llm', { name: 'gpt', provider: 'openai', models: [], weights: {} }],
  ['words that every program uses', 'agent', { name: 'x', description: 'y', tools: [] }],
  ['a list', 'prompt', [{ system_text: 'x' }]],
])('%s is of another program', (_name, kind, value) => expect(of(kind, value)).toBe(false));

test('of a text that is no JSON, a key in quotes shows it', () => {
  expect(hasMark('agent', undefined, '{ "agent_name": "A", ')).toBe(true);
  expect(hasMark('agent', undefined, '{ "routes": ')).toBe(false);
});

test('in a project, keys that any program uses are enough, and what has no keys or is no JSON is being written', () => {
  expect(isOfProject('llm', { provider: 'openai', model: 'gpt' })).toBe(true);
  expect(isOfProject('agent', {})).toBe(true);
  expect(isOfProject('agent', undefined)).toBe(true);
  expect(isOfProject('llm', { routes: [], default: 'x' })).toBe(false);
  expect(isOfProject('agent', [])).toBe(false);
});
