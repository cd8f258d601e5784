import type { CompletionCase } from './case.js';

const path = 'config/payloads/Labelled/one.json';
const flowPath = 'config/payloads/pipeline/one.json';
/** An agent with tools and an orchestration, beside the project of all cases. */
const files = {
  'config/agents/Labelled/v1.json': JSON.stringify({
    agent_name: 'Labelled',
    version: 'v1',
    agent_type: 'react',
    enabled_tools: ['search_files', 'read_file'],
    input_keys: ['language'],
    output_schema: {
      type: 'object',
      required: ['tone', 'score'],
      properties: { tone: { type: 'string', enum: ['direct', 'friendly'] }, score: { type: 'integer' } },
    },
  }),
  'config/mcp.lock.json': JSON.stringify({
    format: 1,
    servers: {
      memory: {
        tools: {
          recall: {
            description: 'Recalls.',
            parameters: { type: 'object', properties: { about: { type: 'string' } } },
            hash: '0'.repeat(64),
          },
        },
      },
    },
  }),
  'config/orchestrations/pipeline.json': JSON.stringify({
    name: 'pipeline',
    entry_team: 'first',
    context: { round: 1 },
    teams: {
      first: {
        name: 'First',
        tasks: [
          { name: 'a', agent: 'Labels@v1' },
          { name: 'b', agent_type: 'single_shot', persona_key: 'critic' },
        ],
        routing: {
          rules: [{ condition: { task: 'b', status: 'failure' }, next_team: 'second', context_updates: { late: 1 } }],
          default: null,
        },
      },
      second: {
        name: 'Second',
        tasks: [
          { name: 'c', agent: 'Labels@v1', config: { agent_type: 'react', client_ids: ['memory'] } },
          { name: 'd', agent: 'Labelled' },
        ],
        routing: { default: null },
      },
    },
  }),
};

const asCase = (at: string, wrap: (expectation: string) => string) => (name: string, text: string, more: Partial<CompletionCase>) => ({
  name,
  path: at,
  files,
  text: wrap(text),
  ...more,
  ...(more.after !== undefined && { after: wrap(more.after) }),
});
const given = asCase(path, (expectation) => `{ "input": {}, "expect": [${expectation}] }`);
const flow = asCase(flowPath, (expectation) => `{ "context": {}, "expect": [${expectation}] }`);
const whole = (name: string, at: string, text: string, more: Partial<CompletionCase>) => asCase(at, (one) => one)(name, text, more);

/** Cases: fields of the answer, operators and values that fit, tools, tasks, teams, judges and measures. */
export const expectationCases: readonly CompletionCase[] = [
  given('what it begins with', '{ | }', {
    first: ['output_field'],
    offers: ['tool', 'measure', 'judge', 'status'],
    lacks: ['task', 'route', 'context_field', 'threshold'],
  }),
  given('fields of the answer', '{ "output_field": "|" }', { only: ['tone', 'score'], take: 'tone', after: '{ "output_field": "tone" }' }),
  given('arguments of a tool', '{ "tool": "read_file", "arguments": [{ "output_field": "|" }] }', { offers: ['path'], lacks: ['tone'] }),
  given('members of an argument', '{ "tool": "read_file", "arguments": [{ "output_field": "path", | }] }', {
    first: ['operator'],
    lacks: ['tool', 'judge', 'status', 'arguments'],
  }),
  given('what goes with a tool', '{ "tool": "read_file", | }', { offers: ['operator', 'arguments'], lacks: ['tools_in_order'] }),
  given('tools in order', '{ "tools_in_order": ["search_files", "|"] }', { only: ['search_files', 'read_file'] }),
  given('operators that fit a text', '{ "output_field": "tone", "operator": "|" }', {
    offers: ['equals', 'similar', 'matches'],
    lacks: ['greater_than'],
  }),
  given('operators that fit a number', '{ "output_field": "score", "operator": "|" }', {
    offers: ['greater_than'],
    lacks: ['similar', 'contains'],
  }),
  given('operators of a measure', '{ "measure": "cost_usd", "operator": "|" }', { offers: ['less_than'], lacks: ['matches'] }),
  given('values of the field', '{ "output_field": "tone", "operator": "equals", "value": "|" }', { only: ['direct', 'friendly'] }),
  given('values in a list', '{ "output_field": "tone", "operator": "in", "value": ["direct", "|"] }', { only: ['friendly'] }),
  given('a threshold for similar', '{ "output_field": "tone", "operator": "similar", | }', {
    offers: ['value', 'threshold'],
    lacks: ['tool'],
  }),
  given('tools of the agent', '{ "tool": "|" }', { only: ['search_files', 'read_file'] }),
  given('measures', '{ "measure": "|" }', { offers: ['cost_usd', 'steps'] }),
  given('judges, without the agent itself', '{ "judge": "|" }', { offers: ['Labels@v1', 'Labels'], lacks: ['Labelled', 'Labelled@v1'] }),
  given("fields of a judge's answer", '{ "judge": "Labels@v1", "output_field": "|" }', { offers: ['tone', 'done'] }),
  whole('keys of an example answer', path, '{ "input": {}, "expected": { | } }', { first: ['tone', 'score'] }),
  whole('values of an example answer', path, '{ "input": {}, "expected": { "tone": "|" } }', { only: ['direct', 'friendly'] }),
  whole('keys of the input of a case', path, '{ "cases": [{ "input": { | } }] }', { only: ['language'] }),
  whole('keys of the input of a turn', path, '{ "turns": [{ "input": { | } }] }', { only: ['language'] }),
  whole('members of a turn', path, '{ "turns": [{ | }] }', { first: ['input'], offers: ['expect', 'expected'], lacks: ['name', 'turns'] }),
  whole('fields in a turn of a data set', path, '{ "cases": [{ "turns": [{ "input": {}, "expect": [{ "output_field": "|" }] }] }] }', {
    offers: ['tone', 'score'],
  }),
  flow('tasks', '{ "task": "|" }', { only: ['a', 'b', 'c', 'd'] }),
  flow('tools of its tasks', '{ "tool": "|" }', { only: ['recall', 'search_files', 'read_file'] }),
  flow('tools of its tasks in order', '{ "tools_in_order": ["recall", "|"] }', { only: ['recall', 'search_files', 'read_file'] }),
  flow('arguments of a tool of its tasks', '{ "tool": "recall", "arguments": [{ "output_field": "|" }] }', { only: ['about'] }),
  flow('fields of a task', '{ "task": "b", "output_field": "|" }', { only: ['verdict'] }),
  flow('teams of a route', '{ "route": true, "operator": "equals", "value": ["|"] }', { only: ['first', 'second'] }),
  flow('fields of the context', '{ "context_field": "|" }', { only: ['round', 'late'] }),
  flow('what it begins with', '{ | }', { first: ['task'], offers: ['route', 'context_field'] }),
  whole('keys of the context of a case', flowPath, '{ "context": { | } }', { only: ['round', 'late'] }),
];
