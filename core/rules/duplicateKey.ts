import { syntaxRule } from './syntaxRule.js';

/** A key given twice in one object: parsers keep one of the two values, and disagree which. */
export const duplicateKey = syntaxRule('duplicate-key');
