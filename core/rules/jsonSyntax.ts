import { syntaxRule } from './syntaxRule.js';

/** Text that is not JSON (RFC 8259), except for comments and trailing commas. */
export const jsonSyntax = syntaxRule('json-syntax');
