import { syntaxRule } from './syntaxRule.js';

/** Text that is not JSON (RFC 8259), comments and trailing commas apart. */
export const jsonSyntax = syntaxRule('json-syntax');
