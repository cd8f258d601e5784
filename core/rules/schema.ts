import { explainSchemaErrors } from './facts/schemaErrors.js';
import type { Rule } from './rule.js';

/**
 * What the kind's own JSON Schema refuses: types, missing fields, values outside a list or range, malformed names. Keys it does not know
 * belong to unknown-property, foreign-name and misplaced-property.
 */
export const schema: Rule = {
  code: 'schema',
  severity: 'error',
  kinds: 'all',
  on: 'value',
  check(file, _context, report) {
    if (file.schemaErrors.length > 0) for (const finding of explainSchemaErrors(file)) report(finding);
  },
};
