import { type Json, pointerOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textIn } from './support.js';

/** Sets a limit to the one it contradicts, or exchanges reversed bounds of a schema. */
export const limitInvalid: QuickFix = {
  code: 'limit-invalid',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    if (typeof valueAt(context.file.value, pointer) !== 'number') return [];
    const nearest = Array.isArray(data.nearest) ? (data.nearest as readonly Json[]) : [];
    if (nearest.length > 0) return replaceFixes(context, pointer, nearest);
    const { from, to } = data;
    const high = textIn(finding, 'high');
    if (typeof from !== 'number' || typeof to !== 'number' || high === undefined || from === to) return [];
    const other = `${parentPointer(pointer) ?? ''}${pointerOf(high)}`;
    return [editFix(context, 'Exchange the two', (edit) => edit.replace(pointer, to).replace(other, from))];
  },
};
