import type { Operator } from './operator.js';

/** Compares numbers; a text of digits is not a number. */
export const lessThan: Operator = {
  name: 'less_than',
  takes: ['number'],
  expects: ['number'],
  whenMissing: () => false,
  compare: (actual, expected) => (actual as number) < (expected as number),
  cut: (expected) => (typeof expected === 'number' ? { bound: expected } : {}),
};
