import { isObject } from '../json.js';
import type { Rule } from './rule.js';
import { findExtraProperties } from './support/extraProperties.js';

/** A field of ours under another tool's name, at the root of a kind that has the field: nothing reads it. */
export const foreignName: Rule = {
  code: 'foreign-name',
  severity: 'error',
  kinds: 'all',
  on: 'value',
  check(file, _context, report) {
    findExtraProperties(file, 'foreign', (extra) => {
      if (extra.type !== 'foreign') return;
      const { replacement, safe, difference } = extra.foreign;
      const taken = isObject(file.value) && Object.hasOwn(file.value, replacement);
      const advice = taken ? `${JSON.stringify(replacement)} is there too: keep one of them.` : 'Rename it.';
      report({
        pointer: extra.pointer,
        target: 'key',
        message: `${JSON.stringify(extra.key)} is another tool's name for ${JSON.stringify(replacement)}. ${difference ?? advice}`,
        ...(taken && {
          related: [
            { file: file.path, pointer: `/${replacement}`, target: 'key', message: `${JSON.stringify(replacement)} is given here.` },
          ],
        }),
        data: { replacement, safe: safe && !taken },
      });
    });
  },
};
