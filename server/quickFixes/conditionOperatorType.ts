import { type Json, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { operators } from '../../core/routing/operators/index.js';
import { isUsable } from '../../core/routing/operators/operator.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textsIn } from './support.js';

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
