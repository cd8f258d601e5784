import type { Json } from '../../json.js';
import { jsonTypes, type Operator } from './operator.js';

/** Nothing to read: missing, null, an empty text, list or object. With `value: false`: there is something. */
export const isEmpty: Operator = {
  name: 'is_empty',
  takes: jsonTypes,
  suits: ['null', 'string', 'array', 'object'],
  expects: undefined,
  whenMissing: (expected) => expected !== false,
  compare: (actual, expected) => hasNothing(actual) === (expected !== false),
  cut: () => ({ values: [null, '', [], {}] }),
};

function hasNothing(value: Json): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
