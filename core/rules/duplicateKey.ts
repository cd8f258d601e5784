import { syntaxRule } from './syntaxRule.js';

/** A key given twice in one object: readers keep one of the two, and which is up to them. */
export const duplicateKey = syntaxRule('duplicate-key');
