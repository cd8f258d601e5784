import { contains } from './contains.js';
import { jsonTypes, type Operator } from './operator.js';

/** A text or list that does not contain the value. A missing field contains nothing and still does not match. */
export const notContains: Operator = {
  name: 'not_contains',
  takes: ['string', 'array'],
  expects: jsonTypes,
  comparesTexts: true,
  whenMissing: () => false,
  compare: (actual, expected, patterns) => !contains.compare(actual, expected, patterns),
  cut: (expected) => ({ ...contains.cut(expected), negated: true }),
};
