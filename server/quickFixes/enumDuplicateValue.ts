import type { QuickFix } from './quickFix.js';
import { removeRepeat } from './removeRepeat.js';

/** The repeated value goes. */
export const enumDuplicateValue: QuickFix = { code: 'enum-duplicate-value', fixes: removeRepeat };
