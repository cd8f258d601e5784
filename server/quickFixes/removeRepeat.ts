import { valueAt } from '../../core/json.js';
import type { QuickFix } from './quickFix.js';
import { editFix, shownValue } from './support.js';

/** Removes a repeated item of a list. */
export const removeRepeat: QuickFix['fixes'] = ({ pointer }, context) => {
  const value = valueAt(context.file.value, pointer);
  if (value === undefined) return [];
  return [editFix(context, `Remove ${shownValue(value)} here`, (edit) => edit.remove(pointer), true)];
};
