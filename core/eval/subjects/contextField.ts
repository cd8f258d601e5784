import { isObject } from '../../json.js';
import { fieldAt } from '../../routing/fieldAt.js';
import type { Subject } from '../types.js';
import { textOf } from './textOf.js';

/** A field of the context with which an orchestration ended. */
export const contextField: Subject = {
  key: 'context_field',
  actual(entry, { result: { output } }) {
    return { value: fieldAt(isObject(output) ? output.context : undefined, textOf(entry, 'context_field').split('.')) };
  },
  example: (entry, expected) => fieldAt(expected, textOf(entry, 'context_field').split('.')),
  words: (entry) => `context.${textOf(entry, 'context_field')}`,
};
