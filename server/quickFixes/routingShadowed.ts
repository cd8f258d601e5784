import { pointerOf, valueAt } from '../../core/json.js';
import type { QuickFix } from './quickFix.js';
import { editFix } from './support.js';

/** Moves a rule that never matches before the one that shadows it, or removes it. */
export const routingShadowed: QuickFix = {
  code: 'routing-shadowed',
  fixes({ data = {} }, context) {
    const { team, rule, by } = data;
    if (typeof team !== 'string' || typeof rule !== 'number') return [];
    const rules = `${pointerOf('teams', team)}/routing/rules`;
    const own = `${rules}/${rule}`;
    if (valueAt(context.file.value, own) === undefined) return [];
    const remove = editFix(context, 'Remove this rule', (edit) => edit.remove(own));
    const [first] = Array.isArray(by) ? (by as readonly number[]) : [];
    if (first === undefined) return [remove];
    return [
      editFix(context, `Move before rule ${first + 1}`, (edit) => edit.insertItem(rules, edit.rawOf(own), first).remove(own)),
      remove,
    ];
  },
};
