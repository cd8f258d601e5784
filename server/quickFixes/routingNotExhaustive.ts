import { type Json, valueAt } from '../../core/json.js';
import type { QuickFix } from './quickFix.js';
import { editFix } from './support.js';

/** Adds a rule for a case that no rule matches, or a default. Both end the run; only the author knows a better target. */
export const routingNotExhaustive: QuickFix = {
  code: 'routing-not-exhaustive',
  fixes({ pointer, data = {} }, context) {
    const rules = `${pointer}/rules`;
    const condition = data.condition as Json | undefined;
    const addDefault = editFix(
      context,
      'Add a default that ends the run',
      (edit) => edit.set(`${pointer}/default`, null, { after: ['rules'] }),
      true,
    );
    if (condition === undefined || !Array.isArray(valueAt(context.file.value, rules))) return [addDefault];
    return [
      addDefault,
      editFix(context, 'Add a rule for this case that ends the run', (edit) => edit.insertItem(rules, { condition, next_team: null })),
    ];
  },
};
