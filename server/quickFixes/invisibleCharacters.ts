import type { QuickFix } from './quickFix.js';
import { editFix } from './support.js';

/** What shows nothing goes, wherever in the text or key it is. */
export const invisibleCharacters: QuickFix = {
  code: 'invisible-characters',
  fixes({ pointer, target = 'value', data = {} }, context) {
    const { start, end } = data;
    // What a server says of its tools is pinned as it is: somebody has to decide whether to use such a tool at all.
    if (typeof start !== 'number' || typeof end !== 'number' || context.file.identity.kind === 'lock') return [];
    const title = end - start === 1 ? 'Remove the invisible character' : 'Remove the invisible characters';
    return [editFix(context, title, (edit) => edit.replaceWithin(pointer, target, { start, end }, ''), true)];
  },
};
