import type { Rule } from './rule.js';

/** Every rule there is, in the order of RULES.md. A new rule is one new file and one line here. */
export const rules: readonly Rule[] = [];
