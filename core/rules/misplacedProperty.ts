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
      if (extra.file !== undefined) {
        const { path, isWhole } = extra.file;
        const advice = isWhole ? `Move the file to ${path}.` : `Move it to ${path}, or to the agents that use this profile.`;
        report({
          pointer: extra.pointer,
          target: 'key',
          message: `${JSON.stringify(extra.key)} is not read in a profile: it belongs in a persona or an agent. ${advice}`,
          data: { to: extra.to, file: path, whole: isWhole },
        });
        continue;
      }
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
