import { didYouMean } from '../names.js';
import type { Rule } from './rule.js';
import { findExtraProperties } from './support/extraProperties.js';

/** A key that nothing reads. The nearest names are those that its own object knows. */
export const unknownProperty: Rule = {
  code: 'unknown-property',
  severity: 'warning',
  kinds: 'all',
  on: 'value',
  check(file, { project }, report) {
    findExtraProperties(file, project, (extra) => {
      if (extra.type !== 'unknown') return;
      const meant = didYouMean(extra.nearest);
      report({
        pointer: extra.pointer,
        target: 'key',
        message: `Nothing reads ${JSON.stringify(extra.key)} here.${meant === '' ? ' Remove it.' : meant}`,
        data: { nearest: extra.nearest },
      });
    });
  },
};
