import { isEqual } from '../../jsonText/jsonCompare.js';
import { jsonTypes, type Operator } from './operator.js';

/** A text that contains another, case-sensitive; a list that contains a value. */
export const contains: Operator = {
  name: 'contains',
  takes: ['string', 'array'],
  expects: jsonTypes,
  comparesTexts: true,
  whenMissing: () => false,
  compare(actual, expected) {
    if (expected === undefined) return false;
    if (typeof actual === 'string') return typeof expected === 'string' && actual.includes(expected);
    return Array.isArray(actual) && actual.some((item) => isEqual(item, expected));
  },
  cut: (expected) => (expected === undefined ? {} : { part: expected }),
};
