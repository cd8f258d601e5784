import { valueAt } from '../../core/json.js';
import { fittingFix } from './fittingFix.js';
import type { QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textIn } from './support.js';

/** Moves a key to the level it belongs to, as it is written. */
export const misplacedProperty: QuickFix = {
  code: 'misplaced-property',
  fixes(finding, context) {
    const { pointer } = finding;
    const to = textIn(finding, 'to');
    if (to === undefined) return [];
    const remove = editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer));
    // An existing value there takes precedence.
    if (valueAt(context.file.value, to) !== undefined) return [remove];
    const around = to.slice(1, to.lastIndexOf('/')).replaceAll('/', '.');
    const title = around === '' ? 'Move to the root of the file' : `Move to ${around}`;
    const move = fittingFix(context, {
      title,
      from: pointer,
      to,
      move: (edit) => edit.set(to, edit.rawOf(pointer)).remove(pointer),
      moveAs: (edit, value) => edit.set(to, value).remove(pointer),
    });
    return move === undefined ? [remove] : [{ ...move, preferred: true }];
  },
};
