import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import type { PlacedFinding } from '../../core/finding.js';
import { operators } from '../../core/generated/operators.js';
import { type Json, pointerOf, segmentsOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { isUsable } from '../../core/routing/operators/operator.js';
import { proveRouting } from '../../core/routing/prover/proveRouting.js';
import { teamProofsOf } from '../../core/rules/facts/routingProofs.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, guesses, replaceFixes, textIn, textsIn } from './support.js';

/**
 * Replaces an operator that does not fit the type of the field, and a value that does not fit the operator.
 */
export const conditionOperatorType: QuickFix = {
  code: 'condition-operator-type',
  fixes(finding, context) {
    const { pointer } = finding;
    const expects = textsIn(finding, 'expects');
    if (expects.length === 0) return textsIn(finding, 'nearest').flatMap((name) => operatorFix(context, pointer, name) ?? []);
    const value = valueAt(context.file.value, pointer);
    // A missing value is marked at the comparison.
    if (value === undefined || !pointer.endsWith('/value')) return [];
    return replaceFixes(context, pointer, converted(value, expects));
  },
};

function operatorFix(context: FixContext, pointer: string, name: string): Fix | undefined {
  const operator = operators.find((other) => other.name === name);
  const at = `${parentPointer(pointer) ?? ''}/value`;
  const value = valueAt(context.file.value, at);
  if (operator === undefined) return undefined;
  const title = `Change to ${JSON.stringify(name)}`;
  if (operator.expects === undefined)
    return editFix(context, title, (edit) => {
      edit.replace(pointer, name);
      if (value !== undefined) edit.remove(at);
    });
  if (isUsable(operator, value)) return editFix(context, title, (edit) => edit.replace(pointer, name));
  const [usable] = value === undefined ? [] : converted(value, operator.expects);
  return usable === undefined ? undefined : editFix(context, title, (edit) => edit.replace(pointer, name).replace(at, usable));
}

function converted(value: Json, expects: readonly string[]): readonly Json[] {
  if (expects.includes('array') && !Array.isArray(value)) return [[value]];
  if (expects.includes('number') && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return [Number(value)];
  if (expects.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return [String(value)];
  return [];
}

/** Replaces an unknown field with one of the task's output. */
export const conditionFieldUnknown: QuickFix = {
  code: 'condition-field-unknown',
  fixes(finding, context) {
    const task = textIn(finding, 'text');
    const nearest = textsIn(finding, 'nearest');
    if (task === undefined && nearest.length > 0) return replaceFixes(context, finding.pointer, nearest);
    if (task === undefined) return guesses(replaceFixes(context, finding.pointer, textsIn(finding, 'others')));
    const value = valueAt(context.file.value, `${parentPointer(finding.pointer) ?? ''}/value`);
    return outputSchemaFixes(context, finding, { task, path: (textIn(finding, 'path') ?? '').split('.'), value });
  },
};

/** Gives a task with a text answer an output schema with a field: in its `config`, since its agent may answer in text elsewhere. */
export function outputSchemaFixes(
  context: FixContext,
  { pointer }: Pick<PlacedFinding, 'pointer'>,
  { task: name, path, value }: { readonly task: string; readonly path: readonly string[]; readonly value?: Json | undefined },
): readonly Fix[] {
  const [part, team] = segmentsOf(pointer);
  const teamPart = part === 'teams' ? teamsIn(context.file.value).find(({ id }) => id === team) : undefined;
  const task = teamPart && tasksIn(teamPart).find((other) => other.name === name);
  const leaf: Json = { type: typeof value === 'number' || typeof value === 'boolean' ? typeof value : 'string' };
  if (task === undefined || path.includes('')) return [];
  const schema = path.reduceRight(
    (inner, field): Json => ({
      type: 'object',
      properties: Object.fromEntries([[field, inner]]),
      required: [field],
      additionalProperties: false,
    }),
    leaf,
  );
  const title = `Give the task ${JSON.stringify(name)} an output_schema with ${JSON.stringify(path.join('.'))}`;
  return [editFix(context, title, (edit) => edit.set(`${task.pointer}/config/output_schema`, schema))];
}

/** Replaces `(?i)` at the beginning of an expectation's pattern, which the engine does not support, with `ignore_case`. */
export const patternUnsupported: QuickFix = {
  code: 'pattern-unsupported',
  fixes({ pointer }, context) {
    const pattern = valueAt(context.file.value, pointer);
    if (context.file.identity.kind !== 'payload' || typeof pattern !== 'string' || !/^\(\?i\)./.test(pattern)) return [];
    const around = parentPointer(pointer) ?? '';
    return [
      editFix(
        context,
        'Write "ignore_case": true instead of (?i)',
        (edit) => edit.replace(pointer, pattern.slice('(?i)'.length)).set(`${around}/ignore_case`, true),
        true,
      ),
    ];
  },
};

/** Replaces the value with one that the field may have: similar ones if there are any, otherwise all. */
export const conditionValueImpossible: QuickFix = {
  code: 'condition-value-impossible',
  fixes({ pointer, data = {} }, context) {
    const nearest = Array.isArray(data.nearest) ? (data.nearest as readonly Json[]) : [];
    if (nearest.length > 0) return replaceFixes(context, pointer, nearest);
    const allowed = Array.isArray(data.allowed) ? (data.allowed as readonly Json[]) : [];
    return guesses(replaceFixes(context, pointer, allowed));
  },
};

/** Moves a rule that never matches before the one that shadows it, or removes it. */
export const routingShadowed: QuickFix = {
  code: 'routing-shadowed',
  fixes({ data = {} }, context) {
    const { team, rule, by } = data;
    if (typeof team !== 'string' || typeof rule !== 'number') return [];
    const rules = `${pointerOf('teams', team)}/routing/rules`;
    const place = `${rules}/${rule}`;
    if (valueAt(context.file.value, place) === undefined) return [];
    const remove = editFix(context, 'Remove this rule', (edit) => edit.remove(place));
    const [first] = Array.isArray(by) ? (by as readonly number[]) : [];
    if (first === undefined || takesAll(context, { team, rule, first })) return [remove];
    return [
      editFix(context, `Move before rule ${first + 1}`, (edit) => edit.insertItem(rules, edit.rawOf(place), first).remove(place)),
      remove,
    ];
  },
};

/** Whether a rule, moved before another one, would shadow that one in turn. */
function takesAll(
  { file, project }: FixContext,
  { team, rule, first }: { readonly team: string; readonly rule: number; readonly first: number },
) {
  const proofs = teamProofsOf(file, project.ruleContext).find(({ team: { id } }) => id === team);
  const rules = valueAt(proofs?.team.value, '/routing/rules');
  if (proofs === undefined || !Array.isArray(rules)) return true;
  const moved = rules.filter((_other, index) => index !== rule).toSpliced(first, 0, rules[rule] as Json);
  const { schemas, patterns } = project.ruleContext;
  const { rules: verdicts } = proveRouting(
    { ...proofs.team.value, routing: { rules: moved.slice(0, first + 2), default: null } },
    proofs.contracts,
    { schemas, patterns },
  );
  return verdicts[first + 1]?.verdict !== 'possible';
}

/** Replaces a field of the context with one that is set. */
export const contextFieldUnknown: QuickFix = {
  code: 'context-field-unknown',
  fixes(finding, context) {
    const { pointer, within } = finding;
    const nearest = textsIn(finding, 'nearest');
    if (within === undefined) return replaceFixes(context, pointer, nearest);
    return nearest.map((path) => {
      const text = `{{context.${path}}}`;
      const change = (edit: Parameters<Parameters<typeof editFix>[2]>[0]) => edit.replaceWithin(pointer, 'value', within, text);
      return editFix(context, `Change to ${text}`, change, nearest.length === 1);
    });
  },
};
