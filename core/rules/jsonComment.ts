import { fieldsAt } from '../schema/kindFields.js';
import { syntaxRule } from './syntaxRule.js';

/** A comment: some editors allow comments, the runtimes that read these files do not. */
export const jsonComment = syntaxRule('json-comment', ({ kind }) =>
  fieldsAt(kind, [])?.includes('description') ? undefined : 'A comment: JSON has none. Remove it.',
);
