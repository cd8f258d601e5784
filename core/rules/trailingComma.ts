import { syntaxRule } from './syntaxRule.js';

/** A comma after the last entry of an object or list. */
export const trailingComma = syntaxRule('trailing-comma');
