import { type Json, pointerOf, valueAt } from '../../core/json.js';
import { proveRouting } from '../../core/routing/prover/proveRouting.js';
import { teamProofsOf } from '../../core/rules/facts/routingProofs.js';
import type { FixContext, QuickFix } from './quickFix.js';
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
    if (first === undefined || takesAll(context, { team, rule, first })) return [remove];
    return [
      editFix(context, `Move before rule ${first + 1}`, (edit) => edit.insertItem(rules, edit.rawOf(own), first).remove(own)),
      remove,
    ];
  },
};

/** Whether a rule, moved before another one, would take all of it in turn. */
function takesAll(
  { file, project }: FixContext,
  { team, rule, first }: { readonly team: string; readonly rule: number; readonly first: number },
) {
  const found = teamProofsOf(file, project.ruleContext).find(({ team: { id } }) => id === team);
  const rules = valueAt(found?.team.value, '/routing/rules');
  if (found === undefined || !Array.isArray(rules)) return true;
  const moved = rules.filter((_other, index) => index !== rule).toSpliced(first, 0, rules[rule] as Json);
  const { schemas, patterns } = project.ruleContext;
  const { rules: verdicts } = proveRouting(
    { ...found.team.value, routing: { rules: moved.slice(0, first + 2), default: null } },
    found.contracts,
    { schemas, patterns },
  );
  return verdicts[first + 1]?.verdict !== 'possible';
}
