import { syntaxRule } from './syntaxRule.js';

/** A comment: some editors allow one, the runtimes that read these files do not. */
export const jsonComment = syntaxRule('json-comment');
