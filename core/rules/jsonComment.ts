import { syntaxRule } from './support/syntaxRule.js';

/** A comment: some editors allow one, the runtimes that read these files do not. */
export const jsonComment = syntaxRule('json-comment');
