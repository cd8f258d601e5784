import { parentPointer } from '../../core/jsonText/locate.js';
import type { QuickFix } from './quickFix.js';
import { editFix, shownValue, textIn } from './support.js';

/** Gives the second case a name of its own; removes one that contradicts another. */
export const caseDuplicate: QuickFix = {
  code: 'case-duplicate',
  fixes(finding, context) {
    const { pointer } = finding;
    const name = textIn(finding, 'replacement');
    if (name === undefined) return [editFix(context, 'Remove this case', (edit) => edit.remove(parentPointer(pointer) ?? ''))];
    if (pointer.endsWith('/name')) return [editFix(context, `Rename to ${shownValue(name)}`, (edit) => edit.replace(pointer, name), true)];
    return [editFix(context, `Add "name": ${shownValue(name)}`, (edit) => edit.set(`${pointer}/name`, name), true)];
  },
};
