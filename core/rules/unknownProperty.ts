import { misspeltExpects } from '../config/caseParts.js';
import { isForeignMcpKind } from '../config/mcpFiles.js';
import { isObject } from '../json.js';
import { didYouMean } from '../names.js';
import { isInPolicy } from '../snapshot/checkFragment.js';
import { findExtraProperties } from './facts/extraProperties.js';
import type { Rule } from './rule.js';

/** A key that nothing reads. Names are proposed from the fields of its own object. */
export const unknownProperty: Rule = {
  code: 'unknown-property',
  severity: 'warning',
  gravest: 'error',
  kinds: 'all',
  on: 'value',
  check(file, context, report) {
    const unread = file.identity.kind === 'payload' && isObject(file.value) ? misspeltExpects(file.value) : [];
    for (const extra of findExtraProperties(file, context)) {
      if (extra.type !== 'unknown') continue;
      // Other tools may read keys of these files; only a misspelt field is certainly read by none.
      if (isForeignMcpKind(file.identity.kind) && extra.nearest.length === 0) continue;
      const hint = didYouMean(extra.nearest);
      report({
        pointer: extra.pointer,
        target: 'key',
        // The expectations would judge nothing, and the policy would not assert what its author believes.
        ...((unread.includes(extra.pointer) || isInPolicy(file.identity.kind, extra.pointer)) && { severity: 'error' }),
        message: `Nothing reads ${JSON.stringify(extra.key)} here.${hint === '' ? ' Remove it.' : hint}`,
        data: { nearest: extra.nearest },
      });
    }
  },
};
