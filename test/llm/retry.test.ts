import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LlmError } from '../../core/errors.js';
import { inWords, retryAfter, waitAfter } from '../../core/llm/retry.js';

const failure = new LlmError('server', 'broken', { recoverable: true });
const random = (next: number) => ({ next: () => next, id: () => '' });

test('waits double from 500 ms to 8 s', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map((attempt) => waitAfter(attempt, failure, random(0.5)))).toEqual([
    500, 1000, 2000, 4000, 8000, 8000, 8000,
  ]);
});

test('jitter is 20 % either way', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, next) => {
      const base = Math.min(500 * 2 ** (attempt - 1), 8000);
      const wait = waitAfter(attempt, failure, random(next));
      expect(wait).toBeGreaterThanOrEqual(base * 0.8 - 1);
      expect(wait).toBeLessThanOrEqual(base * 1.2 + 1);
    }),
  );
});

test('what the server asks for is waited exactly', () => {
  expect(waitAfter(1, new LlmError('rate-limit', '', { retryAfter: 7.5 }), random(0.9))).toBe(7500);
  expect(waitAfter(9, new LlmError('rate-limit', '', { retryAfter: 0 }), random(0.9))).toBe(0);
});

test.each<[string, Record<string, string>, number | undefined]>([
  ['seconds', { 'retry-after': '12' }, 12],
  ['fractions of a second', { 'retry-after': '0.25' }, 0.25],
  ['milliseconds before seconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1.5],
  ['an HTTP date', { 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT' }, 30],
  ['a date that is over', { 'retry-after': 'Fri, 02 Jan 2026 03:00:00 GMT' }, 0],
  ['nothing', {}, undefined],
  ['nonsense', { 'retry-after': 'soon', 'retry-after-ms': '-5' }, undefined],
])('Retry-After is read as %s', (_, headers, expected) => {
  expect(retryAfter((name) => headers[name] ?? null, Date.UTC(2026, 0, 2, 3, 4, 5))).toBe(expected);
});

test('durations are said in words', () => {
  expect([5, 999, 1500, 60_000, 300_000, 7_200_000].map(inWords)).toEqual(['5 ms', '999 ms', '1.5 s', '60 s', '5 min', '2 h']);
});
