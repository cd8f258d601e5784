import { isForeignMcpKind } from '../config/mcpFiles.js';
import { didYouMean } from '../names.js';
import { findExtraProperties } from './facts/extraProperties.js';
import type { Rule } from './rule.js';

/** A key that nothing reads. The nearest names are those that its own object knows. */
export const unknownProperty: Rule = {
  code: 'unknown-property',
  severity: 'warning',
  kinds: 'all',
  on: 'value',
  check(file, context, report) {
    for (const extra of findExtraProperties(file, context)) {
      if (extra.type !== 'unknown') continue;
      // Any of many tools may read what is in these files; only a misspelt field is surely read by none.
      if (isForeignMcpKind(file.identity.kind) && extra.nearest.length === 0) continue;
      const meant = didYouMean(extra.nearest);
      report({
        pointer: extra.pointer,
        target: 'key',
        message: `Nothing reads ${JSON.stringify(extra.key)} here.${meant === '' ? ' Remove it.' : meant}`,
        data: { nearest: extra.nearest },
      });
    }
  },
};
