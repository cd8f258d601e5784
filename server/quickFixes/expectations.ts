import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import type { RuleCode } from '../../core/ruleCodes.js';
import { conditionOperatorType, conditionValueImpossible } from './conditions.js';
import { unknownProperty } from './keys.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, replaceFixes, shownValue, textIn, textsIn } from './support.js';

/** Removes the entry of `expect` around a place. */
export function expectationRemoval(context: FixContext, pointer: string): readonly Fix[] {
  const [entry] = /^(?:\/cases\/\d+)?(?:\/turns\/\d+)?\/expect\/\d+/.exec(pointer) ?? [];
  return entry === undefined ? [] : [editFix(context, 'Remove the expectation', (edit) => edit.remove(entry))];
}

/** Replaces an unknown name with an existing one; compares the text of an agent without fields; removes members that only orchestrations have. */
export const expectationUnknown: QuickFix = {
  code: 'expectation-unknown',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    if (data.text === true && pointer.endsWith('/output_field'))
      return [
        editFix(
          context,
          'Compare the text of the answer ("text": true)',
          (edit) => edit.rename(pointer, 'text').replace(pointer, true),
          true,
        ),
        ...expectationRemoval(context, parentPointer(pointer) ?? ''),
      ];
    if (/^(?:\/cases\/\d+)?(?:\/turns\/\d+)?\/expected\//.test(pointer)) return unknownProperty.fixes(finding, context);
    const fixes = replaceFixes(context, pointer, textsIn(finding, 'nearest'));
    return fixes.length > 0 ? fixes : expectationRemoval(context, pointer);
  },
};

/** Replaces the value or the operator with one that the field can satisfy, or removes the expectation. */
export const expectationImpossible: QuickFix = {
  code: 'expectation-impossible',
  fixes(finding, context) {
    const { data = {}, pointer } = finding;
    const change =
      data.operator !== undefined ? conditionOperatorType.fixes(finding, context) : conditionValueImpossible.fixes(finding, context);
    return [...change, ...expectationRemoval(context, pointer)];
  },
};

/** Gives the second case a unique name; removes an expectation that contradicts another. */
export const caseDuplicate: QuickFix = {
  code: 'case-duplicate',
  fixes(finding, context) {
    const { pointer } = finding;
    const name = textIn(finding, 'replacement');
    if (name === undefined) return [editFix(context, 'Remove this case', (edit) => edit.remove(parentPointer(pointer) ?? ''))];
    if (pointer.endsWith('/name')) return [editFix(context, `Rename to ${shownValue(name)}`, (edit) => edit.replace(pointer, name), true)];
    return [editFix(context, `Add "name": ${shownValue(name)}`, (edit) => edit.set(`${pointer}/name`, name), true)];
  },
};

/** Removes a verdict of a baseline: its case is judged again if it still exists. */
export function removeVerdict(code: RuleCode): QuickFix {
  return {
    code,
    fixes(finding, context) {
      const index = finding.data?.verdict;
      if (typeof index !== 'number') return [];
      return [editFix(context, 'Remove the verdict', (edit) => edit.remove(pointerOf('verdicts', index)), true)];
    },
  };
}

/** Renames a misspelt key, adds a missing one, removes a superfluous one, or chooses an allowed value. */
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
