import { pointerOf, valueAt } from '../../core/json.js';
import type { QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textsIn } from './support.js';

/** Renames a default of an unknown field to a known one, or removes it. */
export const defaultUnknownField: QuickFix = {
  code: 'default-unknown-field',
  fixes(finding, context) {
    const { pointer } = finding;
    if (!pointer.startsWith('/defaults/')) return [];
    const renames = textsIn(finding, 'nearest')
      .filter((name) => valueAt(context.file.value, pointerOf('defaults', name)) === undefined)
      .map((name, index) => editFix(context, `Rename to ${JSON.stringify(name)}`, (edit) => edit.rename(pointer, name), index === 0));
    return [...renames, editFix(context, `Remove the default of ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer))];
  },
};
