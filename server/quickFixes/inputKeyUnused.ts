import type { QuickFix } from './quickFix.js';
import { editFix, textIn } from './support.js';

/** Removes an unused key from `input_keys`. */
export const inputKeyUnused: QuickFix = {
  code: 'input-key-unused',
  fixes: (finding, context) =>
    /^\/input_keys\/\d+$/.test(finding.pointer)
      ? [editFix(context, `Remove ${JSON.stringify(textIn(finding, 'key') ?? '')} from input_keys`, (edit) => edit.remove(finding.pointer))]
      : [],
};
