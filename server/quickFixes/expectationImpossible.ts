import { conditionOperatorType } from './conditionOperatorType.js';
import { conditionValueImpossible } from './conditionValueImpossible.js';
import { expectationRemoval } from './expectationRemoval.js';
import type { QuickFix } from './quickFix.js';

/** Replaces the value or the operator with one that the field may meet, or removes the expectation. */
export const expectationImpossible: QuickFix = {
  code: 'expectation-impossible',
  fixes(finding, context) {
    const { data = {}, pointer } = finding;
    const change =
      data.operator !== undefined ? conditionOperatorType.fixes(finding, context) : conditionValueImpossible.fixes(finding, context);
    return [...change, ...expectationRemoval(context, pointer)];
  },
};
