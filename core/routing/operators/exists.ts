import { jsonTypes, type Operator } from './operator.js';

/** The field is there, with any value, null included. With `value: false`, that it is not. */
export const exists: Operator = {
  name: 'exists',
  takes: jsonTypes,
  expects: undefined,
  whenMissing: (expected) => expected === false,
  compare: (_actual, expected) => expected !== false,
  cut: () => ({}),
};
