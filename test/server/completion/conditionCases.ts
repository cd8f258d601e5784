import { type CompletionCase, orchestrationPath as path } from './case.js';

const flow = (condition: string) =>
  `{ "context": { "round": 1, "user": { "name": "x" } }, "teams": { "t": { "name": "T", "tasks": [{ "name": "a", "agent": "Labels@v1" }, { "name": "b", "persona_key": "critic" }], "routing": { "rules": [{ "condition": ${condition}, "next_team": null, "context_updates": { "late": 1 } }] } } } }`;
const given = (name: string, condition: string, more: Partial<CompletionCase>): CompletionCase => ({
  name,
  path,
  text: flow(condition),
  ...more,
  ...(more.after !== undefined && { after: flow(more.after) }),
});

/** Conditions: tasks, fields, operators that fit the field, values of its enum. */
export const conditionCases: readonly CompletionCase[] = [
  given('what a condition begins with', '{ | }', {
    first: ['task', 'context_field'],
    lacks: ['step'],
    take: 'task',
    after: '{ "task": "a" }',
  }),
  given('what follows a task', '{ "task": "a", | }', {
    first: ['output_field', 'status'],
    lacks: ['context_field', 'step', 'any', 'not', 'task'],
  }),
  given('a status takes nothing else', '{ "task": "a", "status": "success", | }', { only: [] }),
  given('what follows a field', '{ "task": "a", "output_field": "tone", | }', { first: ['operator', 'value'], lacks: ['status'] }),
  given('no value for an operator that needs none', '{ "task": "a", "output_field": "tone", "operator": "exists", | }', {
    lacks: ['value'],
  }),
  given('a value with the choices of its field', '{ "task": "a", "output_field": "tone", "operator": "equals", | }', {
    take: 'value',
    after: '{ "task": "a", "output_field": "tone", "operator": "equals", "value": "direct" }',
  }),
  given('a list of them', '{ "task": "a", "output_field": "tone", "operator": "in", | }', {
    take: 'value',
    after: '{ "task": "a", "output_field": "tone", "operator": "in", "value": ["direct"] }',
  }),
  given('tasks of the team', '{ "task": "|" }', { only: ['a', 'b'], take: 'b', after: '{ "task": "b" }' }),
  given('status', '{ "task": "a", "status": "|" }', { only: ['success', 'failure'] }),
  given("fields of the agent's output", '{ "task": "a", "output_field": "|" }', {
    only: ['tone', 'score', 'done', 'tags', 'notes', 'notes.count'],
    take: 'notes.count',
    after: '{ "task": "a", "output_field": "notes.count" }',
  }),
  given("fields of the persona's output", '{ "task": "b", "output_field": "|" }', { only: ['verdict'] }),
  given('fields of the context, updates included', '{ "context_field": "|" }', { only: ['round', 'user', 'user.name', 'late'] }),
  given('operators of a text', '{ "task": "a", "output_field": "tone", "operator": "|" }', {
    offers: ['equals', 'in', 'matches'],
    lacks: ['greater_than'],
    take: 'in',
    after: '{ "task": "a", "output_field": "tone", "operator": "in" }',
  }),
  given('operators of a number', '{ "task": "a", "output_field": "score", "operator": "|" }', {
    offers: ['greater_than', 'less_than', 'equals'],
    lacks: ['contains', 'matches'],
  }),
  given('operators of a list', '{ "task": "a", "output_field": "tags", "operator": "|" }', {
    offers: ['contains', 'is_empty'],
    lacks: ['greater_than', 'matches'],
  }),
  given('operators of a field of the context', '{ "context_field": "round", "operator": "|" }', {
    offers: ['less_than'],
    lacks: ['contains'],
  }),
  given('all operators where the field is unknown', '{ "task": "a", "output_field": "who", "operator": "|" }', {
    offers: ['equals', 'contains', 'greater_than', 'matches', 'is_empty'],
  }),
  given('values of the field', '{ "task": "a", "output_field": "tone", "operator": "equals", "value": "|" }', {
    only: ['direct', 'friendly'],
    take: 'friendly',
    after: '{ "task": "a", "output_field": "tone", "operator": "equals", "value": "friendly" }',
  }),
  given('true and false', '{ "task": "a", "output_field": "done", "operator": "equals", "value": | }', {
    only: ['true', 'false'],
    take: 'false',
    after: '{ "task": "a", "output_field": "done", "operator": "equals", "value": false }',
  }),
  given('a list to choose from', '{ "task": "a", "output_field": "tone", "operator": "in", "value": | }', {
    only: ['[…]'],
    take: '[…]',
    after: '{ "task": "a", "output_field": "tone", "operator": "in", "value": ["direct"] }',
  }),
  given('what the list lacks', '{ "task": "a", "output_field": "tone", "operator": "in", "value": ["direct", "|"] }', {
    only: ['friendly'],
    take: 'friendly',
    after: '{ "task": "a", "output_field": "tone", "operator": "in", "value": ["direct", "friendly"] }',
  }),
  given('what a list may hold', '{ "task": "a", "output_field": "tags", "operator": "contains", "value": "|" }', {
    only: ['bug', 'feature'],
  }),
  given('no values for a pattern', '{ "task": "a", "output_field": "tone", "operator": "matches", "value": "|" }', { only: [] }),
  given(
    'in a list of conditions',
    '[{ "task": "a", "status": "success" }, { "task": "a", "output_field": "tone", "operator": "equals", "value": "|" }]',
    { only: ['direct', 'friendly'] },
  ),
  given('below any and not', '{ "any": [{ "not": { "task": "b", "output_field": "verdict", "operator": "equals", "value": "|" } }] }', {
    only: ['pass', 'fail'],
  }),
  given('values right behind the colon', '{ "task": "a", "output_field": "tone", "operator": "equals", "value":| }', {
    take: 'direct',
    after: '{ "task": "a", "output_field": "tone", "operator": "equals", "value":"direct" }',
  }),
  given('an open quote', '{ "task": "a", "output_field": "tone", "operator": "equals", "value": "dir| }', {
    take: 'direct',
    after: '{ "task": "a", "output_field": "tone", "operator": "equals", "value": "direct" }',
    staysBroken: true,
  }),
  given('a whole condition', '|', {
    offers: ['output condition', 'status condition', 'context condition', 'any of several'],
    take: 'status condition',
    after: '{\n  "task": "a",\n  "status": "success"\n}',
  }),
  {
    name: 'in a plan a condition speaks of steps',
    text: '{ "execution_plan": { "steps": [{ "name": "one", "agent": "Labels@v1" }, { "name": "two", "llm": "x", "when": { | } }] } }',
    first: ['step'],
    lacks: ['task'],
  },
  {
    name: 'steps and their output',
    text: '{ "execution_plan": { "steps": [{ "name": "one", "agent": "Labels@v1" }, { "name": "two", "llm": "x", "when": { "step": "one", "output_field": "to|" } }] } }',
    offers: ['tone', 'score'],
  },
  {
    name: 'a step may repeat until its own output is right',
    text: '{ "execution_plan": { "steps": [{ "name": "one", "agent": "Labels@v1", "repeat": { "until": { "step": "|" }, "max": 3 } }] } }',
    only: ['one'],
  },
];
