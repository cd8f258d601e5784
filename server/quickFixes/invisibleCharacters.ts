import type { QuickFix } from './quickFix.js';
import { editFix } from './support.js';

/** Removes invisible characters from a text or key. */
export const invisibleCharacters: QuickFix = {
  code: 'invisible-characters',
  fixes({ pointer, target = 'value', data = {} }, context) {
    const { start, end } = data;
    // The description of a tool is pinned as its server sends it. The user has to decide whether to trust such a tool.
    if (typeof start !== 'number' || typeof end !== 'number' || context.file.identity.kind === 'lock') return [];
    const title = end - start === 1 ? 'Remove the invisible character' : 'Remove the invisible characters';
    return [editFix(context, title, (edit) => edit.replaceWithin(pointer, target, { start, end }, ''), true)];
  },
};
