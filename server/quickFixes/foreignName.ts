import { pointerOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import type { QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textIn } from './support.js';

/** Renames another tool's field to ours. Where the units differ, both readings are offered. */
export const foreignName: QuickFix = {
  code: 'foreign-name',
  fixes(finding, context) {
    const { pointer, data } = finding;
    const name = textIn(finding, 'replacement');
    if (name === undefined) return [];
    const target = `${parentPointer(pointer) ?? ''}${pointerOf(name)}`;
    const remove = editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer));
    if (valueAt(context.file.value, target) !== undefined) return [remove];
    const value = valueAt(context.file.value, pointer);
    const rename = (title: string, factor: (number: number) => number) =>
      editFix(context, title, (edit) => {
        edit.rename(pointer, name);
        if (typeof value === 'number' && factor(value) !== value) edit.replace(pointer, factor(value));
      });
    const quoted = JSON.stringify(name);
    if (data?.safe === true || typeof value !== 'number')
      return [{ ...rename(`Rename to ${quoted}`, (same) => same), preferred: data?.safe === true }];
    if (name === 'timeout_ms')
      return [
        rename(`Rename to ${quoted}: ${value} is in milliseconds`, (same) => same),
        rename(`Rename to ${quoted} and write ${value * 1000}: ${value} is in seconds`, (seconds) => seconds * 1000),
      ];
    return [
      rename(`Rename to ${quoted} and write ${value + 1}: the first try counts too`, (retries) => retries + 1),
      rename(`Rename to ${quoted}: ${value} counts tries`, (same) => same),
    ];
  },
};
