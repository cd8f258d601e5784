import { segmentsOf } from '../json.js';
import { dotted } from '../words.js';
import { findExtraProperties } from './facts/extraProperties.js';
import type { Rule } from './rule.js';

/** A key that belongs one level up or down and is not read where it is. */
export const misplacedProperty: Rule = {
  code: 'misplaced-property',
  severity: 'warning',
  kinds: 'all',
  on: 'value',
  check(file, context, report) {
    for (const extra of findExtraProperties(file, context)) {
      if (extra.type !== 'misplaced') continue;
      const home = segmentsOf(extra.to).slice(0, -1);
      const place = home.length === 0 ? 'the root of the file' : dotted(home);
      report({
        pointer: extra.pointer,
        target: 'key',
        message: `${JSON.stringify(extra.key)} is not read here: it belongs in ${place}. Move it there.`,
        data: { to: extra.to },
      });
    }
  },
};
