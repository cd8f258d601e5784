import { describe, expect, test } from 'vitest';
import { acceptActual } from '../../core/eval/suggestExpect.js';
import type { Json } from '../../core/json.js';

const accept = (entry: Json, actual: Json, rest = {}) => acceptActual({ input: {}, expect: [entry], ...rest }, '', '/expect/0', actual);

describe('acceptActual', () => {
  test('gives "equals" and "similar" the actual value', () => {
    expect(accept({ output_field: 'tone', operator: 'equals', value: 'a' }, 'b')).toEqual({ pointer: '/expect/0/value', value: 'b' });
    expect(accept({ text: true, operator: 'similar', value: 'a' }, 'b')).toEqual({ pointer: '/expect/0/value', value: 'b' });
    expect(accept({ status: 'success' }, 'failure')).toEqual({ pointer: '/expect/0/status', value: 'failure' });
    expect(accept({ tools_in_order: ['a'] }, ['b', 'a'])).toEqual({ pointer: '/expect/0/tools_in_order', value: ['b', 'a'] });
    // No order of no tools can be written.
    expect(accept({ tools_in_order: ['a'] }, [])).toBeUndefined();
  });

  test('adds the actual value to the list of "in"', () => {
    expect(accept({ output_field: 'tone', operator: 'in', value: ['a'] }, 'b')).toEqual({ pointer: '/expect/0/value', value: ['a', 'b'] });
  });

  test('changes that place of the example answer with which an expectation without value compares', () => {
    const expected = { tone: 'a', other: { x: 1 } };
    expect(accept({ output_field: 'other.x', operator: 'equals' }, 2, { expected })).toEqual({
      pointer: '/expected',
      value: { tone: 'a', other: { x: 2 } },
    });
    expect(accept({ text: true, operator: 'similar' }, 'b', { expected: 'a' })).toEqual({ pointer: '/expected', value: 'b' });
  });

  test('gives a case of a data set an example answer of its own', () => {
    const file = { expected: { tone: 'a' }, cases: [{ input: {}, expect: [{ output_field: 'tone', operator: 'equals' }] }] };
    expect(acceptActual(file, '/cases/0', '/cases/0/expect/0', 'b')).toEqual({ pointer: '/cases/0/expected', value: { tone: 'b' } });
    const talk = { turns: [{ input: {} }, { input: {}, expect: [{ output_field: 'tone' }], expected: { tone: 'a' } }] };
    expect(acceptActual(talk, '/turns/1', '/turns/1/expect/0', 'b')).toEqual({ pointer: '/turns/1/expected', value: { tone: 'b' } });
  });

  test.each<[Json]>([
    [{ measure: 'cost_usd', operator: 'less_than', value: 1 }],
    [{ not: { output_field: 'tone', operator: 'equals', value: 'a' } }],
    [{ any: [{ output_field: 'tone', operator: 'equals', value: 'a' }] }],
    [{ output_field: 'tone', operator: 'not_equals', value: 'a' }],
    ['no expectation'],
  ])('leaves what no single value meets to the user: %j', (entry) => {
    expect(accept(entry, 2)).toBeUndefined();
  });
});
