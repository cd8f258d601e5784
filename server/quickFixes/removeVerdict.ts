import { pointerOf } from '../../core/json.js';
import type { RuleCode } from '../../core/ruleCodes.js';
import type { QuickFix } from './quickFix.js';
import { editFix } from './support.js';

/** Removes a verdict of a baseline: its case is asked again where it is still there. */
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
