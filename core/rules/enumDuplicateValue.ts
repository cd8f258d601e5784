import { quoted } from '../words.js';
import { findRepeats } from './facts/enumLists.js';
import type { Rule } from './rule.js';

/** A value listed twice often hides a slip: the second should have been another value. */
export const enumDuplicateValue: Rule = {
  code: 'enum-duplicate-value',
  severity: 'warning',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    for (const { values, pointer, first, again } of findRepeats(file, context)) {
      const value = values[again];
      if (value !== values[first]) continue;
      report({
        pointer: `${pointer}/${again}`,
        message: `${quoted(value)} is listed twice. Remove one, or write the intended value.`,
        related: [{ file: file.path, pointer: `${pointer}/${first}`, message: `${quoted(value)} is first listed here.` }],
        data: { value, first },
      });
    }
  },
};
