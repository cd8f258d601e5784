import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareContract } from '../../core/diff/contract.js';
import { readContractFacts } from '../../core/diff/contractFacts.js';
import type { Json, JsonObject } from '../../core/json.js';
import { type Files, sidesOf, stateOf } from './sides.js';

const field = { type: 'string' } as const;
const agent = (fields: JsonObject = {}): JsonObject => ({ system_text: 'Say the label.', model_name: 'gpt-5.4-mini', ...fields });
const schema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  output_schema: { type: 'object', properties, required: Object.keys(properties), ...more },
});
const label = schema({ label: { enum: ['bug', 'idea'] }, why: field });
const rule = (output_field: string, value: Json, task = 'sort') => ({
  condition: { task, output_field, operator: 'equals', value },
  next_team: null,
});
const flow = (routing: JsonObject = { rules: [rule('label', 'bug')], default: null }, other: JsonObject = {}): JsonObject => ({
  entry_team: 'in',
  context: { text: 'x' },
  teams: { in: { name: 'In', tasks: [{ name: 'sort', agent: 'A@v1', input: { text: '{{context.text}}' } }, ...tasksOf(other)], routing } },
});
const tasksOf = (other: JsonObject) => (Object.keys(other).length === 0 ? [] : [other]);

async function changesOf(files: Files, change: Files, name = 'A') {
  const [before, after] = await sidesOf(files, change, name);
  const facts = await readContractFacts(await stateOf({ ...files, ...change }));
  return compareContract(before, after, facts);
}
/** `effect side field: message`, then the readers. */
async function linesOf(...args: Parameters<typeof changesOf>): Promise<readonly string[]> {
  return (await changesOf(...args)).flatMap(({ effect, side, message, readers }) => [
    `${effect} ${side}: ${message}`,
    ...readers.map(({ words, place }) => `  ${words} ${place?.file}#${place?.pointer}`),
  ]);
}
const between = (before: JsonObject, after: JsonObject) => linesOf({ 'agents/A/v1': agent(before) }, { 'agents/A/v1': agent(after) });

describe('changes of a contract', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['nothing', label, label, []],
    ['the order of keys', label, { output_schema: Object.fromEntries(Object.entries(label.output_schema as JsonObject).toReversed()) }, []],
    ['other words of the prompt', label, { ...label, system_text: 'Label it.' }, []],
    [
      'a new optional field',
      label,
      schema({ label: { enum: ['bug', 'idea'] }, why: field, note: field }, { required: ['label', 'why'] }),
      ['compatible output: "note" is new and optional.'],
    ],
    [
      'a new required field',
      label,
      schema({ label: { enum: ['bug', 'idea'] }, why: field, note: field }),
      ['breaking output: "note" is new and required: answers kept from before no longer fit.'],
    ],
    [
      'a field that is gone',
      label,
      schema({ label: { enum: ['bug', 'idea'] } }),
      ['breaking output: "why" is gone: readers of it find nothing.'],
    ],
    [
      'a value more and one less',
      label,
      schema({ label: { enum: ['bug', 'wish'] }, why: field }),
      [
        'breaking output: "label" can no longer be "idea": readers wait for it in vain, and stored answers no longer fit.',
        'breaking output: "label" may now be "wish", a value that readers do not know.',
      ],
    ],
    ['values in another order', label, schema({ label: { enum: ['idea', 'bug'] }, why: field }), []],
    [
      'values written as alternatives',
      label,
      schema({ label: { oneOf: [{ const: 'idea', description: 'A wish.' }, { const: 'bug' }] }, why: field }),
      [],
    ],
    [
      'a description',
      label,
      schema({ label: { enum: ['bug', 'idea'] }, why: { ...field, description: 'The reason.' } }),
      ['compatible output: "why" has another description.'],
    ],
    [
      'a limit that is stricter',
      label,
      schema({ label: { enum: ['bug', 'idea'] }, why: { ...field, maxLength: 9 } }),
      ['compatible output: "why" has maxLength 9 now.'],
    ],
    [
      'a pattern',
      label,
      schema({ label: { enum: ['bug', 'idea'] }, why: { ...field, pattern: '^a' } }),
      ['unknown output: "why" has a pattern: whether readers are affected is not known.'],
    ],
    [
      'a field that may be null',
      label,
      schema({ label: { enum: ['bug', 'idea'] }, why: { type: ['string', 'null'] } }),
      ['breaking output: "why" may now also be "null": readers meet a type they do not expect.'],
    ],
    [
      'alternatives in another order, one of them with a word less',
      schema({ why: { anyOf: [{ type: 'null' }, { type: 'object', properties: { a: field, b: field } }] } }),
      schema({ why: { anyOf: [{ type: 'object', properties: { a: field } }, { type: 'null' }] } }),
      ['breaking output: "why.b" is gone: readers of it find nothing.'],
    ],
    [
      'one alternative more',
      schema({ why: { anyOf: [{ type: 'null' }, { type: 'string' }] } }),
      schema({ why: { anyOf: [{ type: 'null' }, { type: 'string' }, { type: 'number' }] } }),
      ['breaking output: "why" has other forms than before (anyOf): readers may not know them.'],
    ],
    ['a schema that is gone', label, {}, ['breaking output: The output schema is gone: readers find no fields.']],
    ['a schema where a text was', {}, label, ['breaking output: The output has a schema now: readers of a text meet an object.']],
    [
      'a field no longer required, but filled in',
      label,
      { ...schema({ label: { enum: ['bug', 'idea'] }, why: field }, { required: ['label'] }), defaults: { why: '' } },
      [
        'compatible output: "why" is "" now where an answer lacks it.',
        'compatible output: "why" is no longer required, and filled in where an answer lacks it.',
      ],
    ],
    [
      'a default that is gone',
      { ...schema({ why: field }, { required: [] }), defaults: { why: '' } },
      schema({ why: field }, { required: [] }),
      ['breaking output: "why" is no longer filled in where an answer lacks it: readers may find nothing there.'],
    ],
    [
      'input keys',
      { input_keys: ['a', 'b'] },
      { input_keys: ['b', 'c'] },
      [
        'compatible input: The input key "a" is no longer needed.',
        'breaking input: The input key "c" is new: callers that do not send it are refused.',
      ],
    ],
    [
      'input keys written as a schema',
      { input_keys: ['a'] },
      { input_schema: { type: 'object', properties: { a: {} }, required: ['a'] } },
      [],
    ],
    [
      'an input key that a schema limits',
      { input_keys: ['a'] },
      { input_keys: ['a'], input_schema: { type: 'object', properties: { a: { type: 'string', maxLength: 9 }, b: field } } },
      [
        'breaking input: "a" has maxLength 9 now: callers may be refused.',
        'breaking input: "a" is now limited to the type "string": callers that send what was legal are refused.',
        'compatible input: "b" is new and optional.',
      ],
    ],
    [
      'an input key that no schema limits any more',
      { input_keys: ['a'], input_schema: { type: 'object', properties: { a: field } } },
      { input_keys: ['a'] },
      ['compatible input: "a" may now be of any type (was "string").'],
    ],
    [
      'an input schema',
      { input_schema: { type: 'object', properties: { a: field, b: field } } },
      { input_schema: { type: 'object', properties: { a: { type: ['string', 'number'] } }, additionalProperties: false } },
      [
        'breaking input: The input can no longer have other fields: callers that send some are refused.',
        'compatible input: "a" may now also be "number".',
        'breaking input: "b" is gone: callers that send it are refused.',
      ],
    ],
  ])('%s', async (_name, before, after, lines) => {
    expect(await between(before, after)).toEqual(lines);
  });

  test('places are in the new file, and in the old one for what is gone', async () => {
    const changes = await changesOf(
      { 'agents/A/v1': agent(label) },
      { 'agents/A/v1': agent(schema({ label: { enum: ['bug', 'idea', 'wish'] } })) },
    );
    expect(changes.map(({ place }) => place)).toEqual([
      { file: 'config/agents/A/v1.json', pointer: '/output_schema/properties/label/enum/2', side: 'after' },
      { file: 'config/agents/A/v1.json', pointer: '/output_schema/properties/why', side: 'before' },
    ]);
  });
});

describe('readers that break', () => {
  const files = {
    'agents/A/v1': { ...agent(label), expose: true },
    'orchestrations/flow': flow(undefined, {
      name: 'tell',
      agent: 'B@v1',
      depends_on: ['sort'],
      input: { text: 'It is {{tasks.sort.output.why}}.' },
    }),
    'agents/B/v1': agent({ input_keys: ['text'], ...label }),
    'payloads/A/one': { input: { text: 'x' }, expect: [{ output_field: 'why', operator: 'exists' }] },
    'payloads/A/set': {
      cases: [{ name: 'bug', input: { text: 'x' }, expect: [{ output_field: 'label', operator: 'equals', value: 'bug' }] }],
    },
    'payloads/flow/all': { context: {}, expect: [{ task: 'sort', output_field: 'label', operator: 'in', value: ['bug', 'idea'] }] },
  };
  const gone = { 'agents/A/v1': { ...agent(schema({ label: { enum: ['bug', 'idea'] } })), expose: true } };

  test('of a field that is gone', async () => {
    expect(await linesOf(files, gone)).toEqual([
      'breaking output: "why" is gone: readers of it find nothing.',
      '  the input of the task "tell" of the team "in" of the orchestration "flow" config/orchestrations/flow.json#/teams/in/tasks/1/input/text',
      '  programs that call the exposed agent A config/agents/A/v1.json#/expose',
      '  the case one config/payloads/A/one.json#/expect/0',
    ]);
  });

  test('in the orchestration itself', async () => {
    const wish = { 'agents/A/v1': agent(schema({ label: { enum: ['idea'] }, why: field })) };
    expect((await linesOf(files, wish, 'flow')).slice(0, 3)).toEqual([
      'breaking output: "label" can no longer be "bug": readers wait for it in vain, and stored answers no longer fit.',
      '  rule 1 of the team "in" config/orchestrations/flow.json#/teams/in/routing/rules/0/condition',
      '  the case all config/payloads/flow/all.json#/expect/0',
    ]);
  });

  test('callers that lack a new key', async () => {
    expect(await linesOf(files, { 'agents/A/v1': agent({ ...label, input_keys: ['text', 'tone'] }) })).toEqual([
      'breaking input: The input key "text" is new: callers that do not send it are refused.',
      'breaking input: The input key "tone" is new: callers that do not send it are refused.',
      '  the input of the task "sort" of the team "in" of the orchestration "flow" config/orchestrations/flow.json#/teams/in/tasks/0/input',
      '  the case one config/payloads/A/one.json#/input',
      '  the case set/bug config/payloads/A/set.json#/cases/0/input',
    ]);
  });

  test('steps of plans', async () => {
    const plan = {
      agent_type: 'orchestrating',
      system_text: 'x',
      execution_plan: {
        steps: [
          { name: 'one', agent: 'A', input: { text: 'x' } },
          {
            name: 'two',
            skill: 'read_file',
            input: { path: '{{steps.one.output.why}}' },
            when: { step: 'one', output_field: 'label', operator: 'equals', value: 'bug' },
          },
        ],
      },
    };
    const all = { 'agents/A/v1': agent(label), 'agents/P/v1': plan };
    const lines = ['  the step "two" of the plan of P config/agents/P/v1.json#/execution_plan/steps/1/input/path'];
    expect((await linesOf(all, gone)).slice(2)).toEqual(lines);
    expect((await linesOf(all, { 'agents/A/v1': agent(schema({ label: { enum: ['bug', 'idea'] } })) }, 'P')).slice(1)).toEqual(lines);
  });

  test('are told for the orchestration that asks its callers for more', async () => {
    expect(await linesOf(files, { 'orchestrations/flow': { ...flow(), input_keys: ['who'] } }, 'flow')).toContain(
      'breaking input: The input key "who" is new: callers that do not send it are refused.',
    );
  });
});

const small: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<JsonObject[]>({ type: 'string' }, { type: 'number' }, { enum: ['a', 'b'] }, { enum: ['b'] }, { const: 1 }, {}),
  fc.record({ type: fc.constant('array'), items: fc.constantFrom<JsonObject[]>({ type: 'string' }, { enum: [1, 2] }) }),
);
const schemas = fc
  .dictionary(fc.constantFrom('a', 'b', 'c'), small)
  .chain((properties) => fc.subarray(Object.keys(properties)).map((required): JsonObject => ({ type: 'object', properties, required })));

test('equal contracts have no changes, whatever the order of their keys', async () => {
  const reversed = (value: Json): Json =>
    Array.isArray(value) || typeof value !== 'object' || value === null
      ? value
      : Object.fromEntries(
          Object.entries(value)
            .toReversed()
            .map(([key, inner]) => [key, reversed(inner)]),
        );
  await fc.assert(
    fc.asyncProperty(schemas, schemas, async (one, other) => {
      expect(await between({ output_schema: one }, { output_schema: reversed(one) })).toEqual([]);
      const lines = await between({ output_schema: one }, { output_schema: other });
      expect(await between({ output_schema: reversed(one) }, { output_schema: reversed(other) })).toEqual(lines);
      expect(lines.length > 0).toBe(JSON.stringify(await between({ output_schema: other }, { output_schema: one })) !== '[]');
    }),
    { numRuns: 60 },
  );
});
