import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, shownValue, textIn } from './support.js';

/** Renames the key that was meant, adds the one that is missing, removes one too many, or chooses a value that is allowed. */
export const inputInvalid: QuickFix = {
  code: 'input-invalid',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    const missing = textIn(finding, 'missing');
    const replacement = textIn(finding, 'replacement');
    if (replacement !== undefined)
      return [editFix(context, `Rename to ${shownValue(replacement)}`, (edit) => edit.rename(pointer, replacement), true)];
    if (missing !== undefined) {
      if (!isObject(valueAt(context.file.value, pointer))) return [];
      const value = (data.value ?? '') as Json;
      const title = `Add ${shownValue(missing)}: ${shownValue(value)}`;
      return [editFix(context, title, (edit) => edit.set(pointer + pointerOf(missing), value), true)];
    }
    if (finding.target === 'key') return [editFix(context, 'Remove it', (edit) => edit.remove(pointer), true)];
    return Array.isArray(data.allowed) ? replaceFixes(context, pointer, data.allowed as readonly Json[]) : [];
  },
};
