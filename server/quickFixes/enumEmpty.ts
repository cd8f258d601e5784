import type { QuickFix } from './quickFix.js';
import { editFix, lastOf } from './support.js';

/** An entry of `enums` without values goes. */
export const enumEmpty: QuickFix = {
  code: 'enum-empty',
  fixes: ({ pointer }, context) => [editFix(context, `Remove enums.${lastOf(pointer)}`, (edit) => edit.remove(pointer), true)],
};
