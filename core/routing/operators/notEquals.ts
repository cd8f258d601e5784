import { equals } from './equals.js';
import { jsonTypes, type Operator } from './operator.js';

/** Everything that `equals` is not, a missing field included. */
export const notEquals: Operator = {
  name: 'not_equals',
  takes: jsonTypes,
  expects: jsonTypes,
  comparesTexts: true,
  whenMissing: () => true,
  compare: (actual, expected, patterns) => !equals.compare(actual, expected, patterns),
  cut: equals.cut,
};
