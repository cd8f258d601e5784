import { describe, expect, test } from 'vitest';
import { keyOfIssue, readInput, toFieldViews, toValues, wantedFields } from '../../client/panels/preview/inputFields.js';
import type { JsonObject } from '../../core/json.js';
import type { EffectiveAgent } from '../../core/snapshot/effective.js';

function agent(fields: Partial<EffectiveAgent>): EffectiveAgent {
  return {
    agent_name: 'A',
    version: 'v1',
    agent_type: 'single_shot',
    provider: 'openai',
    tool_protocol: 'native',
    max_iterations: 10,
    timeout_ms: 30_000,
    retry_attempts: 3,
    include_history: false,
    tracing: { enabled: true, sample_rate: 1 },
    ...fields,
  };
}

describe('the input of an agent', () => {
  test('has a field for every key it needs, once, and starts with what it needs', () => {
    const wanted = wantedFields(
      agent({
        input_keys: ['task', 'purpose'],
        input_schema: { type: 'object', properties: { purpose: { description: 'what for' }, depth: { type: 'integer' } }, required: [] },
        template: '{{input.task}} for {{input.user.name}} of {{input.user.team}} {{context.no}}',
      }),
    );
    expect(wanted.map(({ key, isRequired, initial }) => [key, isRequired, initial.kind])).toEqual([
      ['task', true, 'text'],
      ['purpose', true, 'text'],
      ['depth', false, 'json'],
      ['user', true, 'json'],
    ]);
    expect(readInput(new Map(), wanted)).toEqual({ payload: { task: '', purpose: '', user: { name: '', team: '' } }, issues: [] });
  });

  test('of a case is that payload to the letter, in its order', () => {
    const payload: JsonObject = JSON.parse('{"b": "x\\ny", "a": [1, {"c": null}], "__proto__": "own", "t": "true", "f": false}');
    const { payload: read } = readInput(toValues(payload), []);
    expect(JSON.stringify(read)).toBe(JSON.stringify(payload));
  });

  test('tells at the field what is not JSON, and leaves an empty one out', () => {
    const values = new Map([
      ['a', { kind: 'json', text: '{"x": }' }],
      ['b', { kind: 'json', text: ' ' }],
      ['c', { kind: 'text', text: '{"x": }' }],
    ] as const);
    const { payload, issues } = readInput(values, []);
    expect(payload).toEqual({ c: '{"x": }' });
    expect(issues.map(({ key }) => key)).toEqual(['a']);
  });

  test('is shown in part where it is too long to be edited', () => {
    const values = toValues({ short: 'x', long: 'y'.repeat(5_000_000) });
    const [short, long] = toFieldViews(values, []);
    expect(short).toMatchObject({ text: 'x', units: 0, isExtra: true });
    expect(long!.units).toBe(5_000_000);
    expect(long!.text.length).toBeLessThan(2_000);
  });
});

test('an issue belongs to the key at the start of its path', () => {
  expect(keyOfIssue('/a~1b/0/c')).toEqual({ key: 'a/b', below: '/0/c' });
  expect(keyOfIssue('')).toEqual({ key: '', below: '' });
});
