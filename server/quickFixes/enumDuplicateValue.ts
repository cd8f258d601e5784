import type { QuickFix } from './quickFix.js';
import { removeRepeat } from './removeRepeat.js';

/** Removes the repeated value. */
export const enumDuplicateValue: QuickFix = { code: 'enum-duplicate-value', fixes: removeRepeat };
