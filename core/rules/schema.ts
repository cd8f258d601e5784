import { explainSchemaErrors } from './facts/schemaErrors.js';
import type { Rule } from './rule.js';

/**
 * Violations of the kind's own JSON Schema: types, missing fields, values outside a list or range, malformed names. Unknown keys
 * are reported by unknown-property, foreign-name and misplaced-property.
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
