import type { QuickFix } from './quickFix.js';
import { editFix, lastOf } from './support.js';

/** Removes an entry of `enums` without values. */
export const enumEmpty: QuickFix = {
  code: 'enum-empty',
  fixes: ({ pointer }, context) => [editFix(context, `Remove enums.${lastOf(pointer)}`, (edit) => edit.remove(pointer), true)],
};
