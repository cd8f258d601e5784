import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSampled, readTraceparent } from '../../core/runContext.js';
import { somewhere } from '../support/somewhere.js';

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent_span_id = '00f067aa0ba902b7';

describe('a traceparent', () => {
  test('names the trace, the span and whether it is recorded', () => {
    expect(readTraceparent(`00-${trace_id}-${parent_span_id}-01`)).toEqual({ trace_id, parent_span_id, trace_sampled: true });
    expect(readTraceparent(` 00-${trace_id}-${parent_span_id}-02 `)).toEqual({ trace_id, parent_span_id, trace_sampled: false });
  });

  test('of a later version may go on', () => {
    expect(readTraceparent(`01-${trace_id}-${parent_span_id}-01-more`)).toMatchObject({ trace_id });
  });

  test.each([
    '',
    'x',
    `00-${trace_id}-${parent_span_id}`,
    `00-${trace_id}-${parent_span_id}-01-more`,
    `ff-${trace_id}-${parent_span_id}-01`,
    `00-${trace_id.toUpperCase()}-${parent_span_id}-01`,
    `00-${'0'.repeat(32)}-${parent_span_id}-01`,
    `00-${trace_id}-${'0'.repeat(16)}-01`,
  ])('that is malformed is none: %j', (text) => expect(readTraceparent(text)).toBeUndefined());
});

describe('sampling', () => {
  const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });

  test('takes every trace at 1 and none at 0, and what a lower rate takes a higher takes too', () => {
    fc.assert(
      fc.property(hex, somewhere, somewhere, (id, one, other) => {
        expect(isSampled(id, 1)).toBe(true);
        expect(isSampled(id, 0)).toBe(false);
        if (isSampled(id, Math.min(one, other))) expect(isSampled(id, Math.max(one, other))).toBe(true);
      }),
    );
  });

  test('takes as many of evenly spread ids as its rate says', () => {
    const ids = Array.from(
      { length: 1000 },
      (_, index) =>
        `${'0'.repeat(18)}${Math.floor((index / 1000) * 2 ** 52)
          .toString(16)
          .padStart(13, '0')}0`,
    );
    for (const rate of [0.01, 0.25, 0.5, 0.9])
      expect(Math.abs(ids.filter((id) => isSampled(id, rate)).length - rate * 1000)).toBeLessThanOrEqual(1);
  });
});
