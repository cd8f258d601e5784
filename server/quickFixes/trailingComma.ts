import type { QuickFix } from './quickFix.js';
import { textFix } from './support.js';

/** A comma before a closing bracket goes. */
export const trailingComma: QuickFix = {
  code: 'trailing-comma',
  fixes: ({ range }, context) => [textFix(context, 'Remove the comma', () => [{ ...range, text: '' }], true)],
};
