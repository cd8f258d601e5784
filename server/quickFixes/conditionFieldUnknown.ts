import type { QuickFix } from './quickFix.js';
import { replaceFixes, textsIn } from './support.js';

/** Replaces an unknown field with one of the task's output. */
export const conditionFieldUnknown: QuickFix = {
  code: 'condition-field-unknown',
  fixes: (finding, context) => replaceFixes(context, finding.pointer, textsIn(finding, 'nearest')),
};
