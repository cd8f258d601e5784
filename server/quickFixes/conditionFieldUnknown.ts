import type { QuickFix } from './quickFix.js';
import { replaceFixes, textsIn } from './support.js';

/** The field becomes one that the task's output has. */
export const conditionFieldUnknown: QuickFix = {
  code: 'condition-field-unknown',
  fixes: (finding, context) => replaceFixes(context, finding.pointer, textsIn(finding, 'nearest')),
};
