import { jsonTypes, type Operator } from './operator.js';

/** The field exists, with any value including null. With `value: false`: it does not. */
export const exists: Operator = {
  name: 'exists',
  takes: jsonTypes,
  expects: undefined,
  whenMissing: (expected) => expected === false,
  compare: (_actual, expected) => expected !== false,
  cut: () => ({}),
};
