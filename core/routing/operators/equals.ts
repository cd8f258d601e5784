import { isEqual } from '../../jsonText/jsonCompare.js';
import { jsonTypes, type Operator } from './operator.js';

/** Equal as JSON: lists in order, objects in any order, never across types. */
export const equals: Operator = {
  name: 'equals',
  takes: jsonTypes,
  expects: jsonTypes,
  comparesTexts: true,
  whenMissing: () => false,
  compare: (actual, expected) => expected !== undefined && isEqual(actual, expected),
  cut: (expected) => (expected === undefined ? {} : { named: [{ value: expected, pointer: '' }] }),
};
