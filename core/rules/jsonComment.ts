import { syntaxRule } from './syntaxRule.js';

/** A comment: some editors allow comments, the runtimes that read these files do not. */
export const jsonComment = syntaxRule('json-comment');
