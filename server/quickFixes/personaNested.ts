import type { QuickFix } from './quickFix.js';
import { editFix } from './support.js';

/** The name of a persona under a persona goes: nothing is layered there. */
export const personaNested: QuickFix = {
  code: 'persona-nested',
  fixes: ({ pointer }, context) => [editFix(context, 'Remove "persona_key"', (edit) => edit.remove(pointer), true)],
};
