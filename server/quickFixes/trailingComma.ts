import type { QuickFix } from './quickFix.js';
import { textFix } from './support.js';

/** Removes a comma before a closing bracket. */
export const trailingComma: QuickFix = {
  code: 'trailing-comma',
  fixes: ({ range }, context) => [textFix(context, 'Remove the comma', () => [{ ...range, text: '' }], true)],
};
