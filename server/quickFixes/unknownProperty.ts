import { pointerOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import type { QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textsIn } from './support.js';

/** Renames an unknown key to a similar known one, or removes it. */
export const unknownProperty: QuickFix = {
  code: 'unknown-property',
  fixes(finding, context) {
    const { pointer } = finding;
    // Renaming to an existing key would lose one of the two values.
    const free = textsIn(finding, 'nearest').filter(
      (name) => valueAt(context.file.value, (parentPointer(pointer) ?? '') + pointerOf(name)) === undefined,
    );
    const renames = free.map((name) => editFix(context, `Rename to ${JSON.stringify(name)}`, (edit) => edit.rename(pointer, name)));
    const [best, ...others] = renames;
    const remove = editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer));
    return best === undefined ? [remove] : [{ ...best, preferred: true }, ...others, remove];
  },
};
