import { pointerOf } from '../json.js';
import type { Rule } from './rule.js';
import { type Likeness, visitRepeats } from './support/enumLists.js';
import { shown } from './support/words.js';

/** A value listed twice says nothing new and hides a slip: the second was meant to be another one. */
export const enumDuplicateValue: Rule = {
  code: 'enum-duplicate-value',
  severity: 'warning',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, _context, report) {
    visitRepeats(file, equal, ({ values, path, first, again }) => {
      const value = values[again];
      report({
        pointer: pointerOf(...path, again),
        message: `${shown(value)} is listed twice. Remove one, or write the value that was meant.`,
        related: [{ file: file.path, pointer: pointerOf(...path, first), message: `${shown(value)} is first listed here.` }],
        data: { value, first },
      });
    });
  },
};

const equal: Likeness = {
  same: (left, right) => left === right && typeof left !== 'object',
  key: (value) => (typeof value === 'object' ? undefined : value),
};
