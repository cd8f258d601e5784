import type { QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue } from './support.js';

/** Removes an empty text, so that what lies below counts; a template and a prompt of a step have to be written. */
export const emptyText: QuickFix = {
  code: 'empty-text',
  fixes({ pointer }, context) {
    const name = lastOf(pointer);
    if (name === 'template' || name === 'llm') return [];
    return [editFix(context, `Remove ${shownValue(name)}`, (edit) => edit.remove(pointer))];
  },
};
