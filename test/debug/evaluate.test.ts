import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Stop } from '../../core/agent/gate.js';
import { completionsAt } from '../../core/debug/completions.js';
import { evaluate, type Frame } from '../../core/debug/evaluate.js';
import type { JsonObject } from '../../core/json.js';

const route = {
  context: { level: 2, customer: { name: 'Ada' } },
  outcomes: { triage: { status: 'completed', output: { label: 'bug', tags: ['a', 'b'] } }, draft: { status: 'failed', output: null } },
  route: { team: 'a', rule: null, next_team: null, notes: [] },
};
const call = {
  messages: [
    { role: 'system', content: 'You help.' },
    { role: 'user', content: 'Hello' },
  ],
  input: { text: 'Hello', user: { name: 'Ada' } },
  steps: { first: { status: 'completed', output: { tone: 'friendly' } } },
};

const frameOf = (values: JsonObject): Frame => ({
  stop: (values.outcomes ? { at: 'route', outcomes: values.outcomes } : { at: 'model', plan_outcomes: values.steps }) as unknown as Stop,
  values,
  compared: () => values,
});
const at = async (expression: string, values: JsonObject = route) => (await evaluate(expression, frameOf(values))).value;

describe('a path', () => {
  test.each([
    ['context.customer.name', 'Ada'],
    ['{{ context.level }}', 2],
    ['outcomes.triage.output.tags[1]', 'b'],
    ['"level"', 2],
    ['customer.name', 'Ada'],
  ])('%s', async (expression, value) => expect(await at(expression)).toEqual(value));

  test.each([
    ['payload.user.name', 'Ada'],
    ['text', 'Hello'],
    ['messages.1.content', 'Hello'],
    ['{{payload.text}}', 'Hello'],
    ['"text"', 'Hello'],
  ])('%s of a call', async (expression, value) => expect(await at(expression, call)).toEqual(value));

  test.each([
    ['contxt', 'There is no contxt here. Did you mean "context"? There are: context, outcomes, route.'],
    ['context.customer.nam', 'There is no context.customer.nam here. Did you mean "name"? context.customer has: name.'],
    ['outcomes.triage.output.tags.7', 'There is no outcomes.triage.output.tags.7 here. outcomes.triage.output.tags has 2 items, from 0.'],
    ['context.level.x', 'There is no context.level.x here. context.level has no members.'],
    ['', 'Nothing to evaluate'],
    ['"route"', 'There is no "route" here.'],
    ['payload.x', 'There is no payload.x here.'],
    ['toString', 'There is no toString here.'],
    ['__proto__', 'There is no __proto__ here.'],
  ])('%j says what there is instead', async (expression, message) => await expect(at(expression)).rejects.toThrow(message));
});

describe('a template', () => {
  test.each([
    ['Dear {{context.customer.name}}, level {{context.level}}', 'Dear Ada, level 2'],
    ['{{tasks.triage.output.label}}!', 'bug!'],
    ['{"to": "{{context.customer.name}}", "level": "{{context.level}}"}', { to: 'Ada', level: 2 }],
  ])('%s', async (expression, value) => expect(await at(expression)).toEqual(value));
  test('of a plan', async () => expect(await at('So: {{steps.first.output.tone}} {{payload.text}}', call)).toBe('So: friendly Hello'));
  test('names what there is', async () =>
    await expect(at('Dear {{customer.name}}')).rejects.toThrow(
      /Nothing provides {{customer.name}}.*There are: context, outcomes, route, tasks\./,
    ));
});

describe('a condition', () => {
  test.each([
    ['{"context_field": "level", "operator": "greater_than", "value": 1}', 'true\ncontext.level is 2.'],
    ['{"context_field": "level", "operator": "equals", "value": 3}', 'false\ncontext.level is 2.'],
    ['{"task": "triage", "output_field": "label", "operator": "equals", "value": "bug"}', 'true\ntriage.label is bug.'],
    ['{"task": "draft", "status": "success"}', 'false'],
    ['[{"task": "triage", "status": "success"}, {"not": {"task": "draft", "status": "success"}}]', 'true'],
    ['{"condition": {"context_field": "level", "operator": "exists"}, "next_team": "b"}', 'true\ncontext.level is 2.'],
    ['{"context_field": "customer", "operator": "greater_than", "value": 1}', /^not known\ncontext\.customer is \{"name":"Ada"\}\./],
  ])('%s', async (expression, value) =>
    expect(await at(expression)).toEqual(typeof value === 'string' ? value : expect.stringMatching(value)),
  );
  test('of a step of a plan', async () => expect(await at('{"step": "first", "status": "success"}', call)).toBe('true'));
  test('that cannot be read says why', async () => {
    await expect(at('{"context_field": "level", "operator": "equal", "value": 1}')).rejects.toThrow('Did you mean "equals"?');
    await expect(at('{"context_field": ')).rejects.toThrow('A condition is JSON');
  });
});

describe('completion', () => {
  const labels = (text: string, values: JsonObject = route) =>
    completionsAt(text, values).map(({ label, detail }) => `${label}: ${detail}`);
  test.each([
    ['', ['context: object', 'outcomes: object', 'route: object']],
    ['con', ['context: object']],
    ['context.', ['level: number', 'customer: object']],
    ['Dear {{context.cus', ['customer: object']],
    ['outcomes.triage.output.tags.', ['0: string', '1: string']],
    ['context.level.', []],
  ])('after %j', (text, expected) => expect(labels(text)).toEqual(expected));
  test.each([
    ['{"con', ['context_field']],
    ['{"context_field": "cust', ['customer']],
    ['{"context_field": "level", "operator": "great', ['greater_than']],
    ['{"task": "', ['triage', 'draft']],
    ['{"task": "triage", "output_field": "', ['label', 'tags']],
    ['{"task": "triage", "status": "s', ['success']],
    ['[{"not": {"field": "outcomes.tri', ['triage']],
    ['{"context_field": "level", "operator": "equals", "value": ', []],
  ])('in a condition after %j', (text, expected) => expect(completionsAt(text, route).map(({ label }) => label)).toEqual(expected));
  test('replaces what was begun', () => {
    expect(completionsAt('a {{context.cu', route)).toMatchObject([{ label: 'customer', start: 12, length: 2 }]);
  });
});

const rubbish = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.stringMatching(/^[{}[\]".,: a-z0-9_]{0,40}$/),
  fc.json(),
  fc.constantFrom('{{', '}}', '{{.}}', '{"any": []}', '[[[[', 'a..b', '{"not": null}', '{"operator": 5}', '["x"]', '{{__proto__.x}}'),
);

test('whatever is typed has a value or an error in words, and a completion', async () => {
  await fc.assert(
    fc.asyncProperty(rubbish, fc.constantFrom(route, call), async (text, values) => {
      const outcome = await at(text, values).catch((error: Error) => error);
      if (outcome instanceof Error) expect(outcome.constructor).toBe(Error);
      else expect(JSON.stringify(outcome)).toBeTypeOf('string');
      expect(Array.isArray(completionsAt(text, values))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
