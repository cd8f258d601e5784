import { isEqual } from '../../jsonText/jsonCompare.js';
import { jsonTypes, type Operator } from './operator.js';

/** Equal to one of a list. */
export const isIn: Operator = {
  name: 'in',
  takes: jsonTypes,
  expects: ['array'],
  comparesTexts: true,
  whenMissing: () => false,
  compare: (actual, expected) => Array.isArray(expected) && expected.some((value) => isEqual(actual, value)),
  cut: (expected) => (Array.isArray(expected) ? { named: expected.map((value, index) => ({ value, pointer: `/${index}` })) } : {}),
};
