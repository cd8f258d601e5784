import type { QuickFix } from './quickFix.js';
import { renameFixes } from './renameFixes.js';
import { editFix, lastOf, shownValue, textsIn } from './support.js';

/** Renames an unknown key to a similar known one, or removes it. */
export const unknownProperty: QuickFix = {
  code: 'unknown-property',
  fixes(finding, context) {
    const { pointer } = finding;
    return [
      ...renameFixes(context, pointer, textsIn(finding, 'nearest')),
      editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer)),
    ];
  },
};
