import type { QuickFix } from './quickFix.js';
import { editFix } from './support.js';

/** Removes the reference of a persona to another: personas are not layered. */
export const personaNested: QuickFix = {
  code: 'persona-nested',
  fixes: ({ pointer }, context) => [editFix(context, 'Remove "persona_key"', (edit) => edit.remove(pointer), true)],
};
