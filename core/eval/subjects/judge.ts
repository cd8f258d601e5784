import { fieldAt } from '../../routing/fieldAt.js';
import { couldNotBeAsked } from '../couldNotBeAsked.js';
import type { Subject } from '../types.js';
import { textOf } from './textOf.js';

/** A field of what another agent says of the answer. A judge without a verdict says nothing of the agent. */
export const judge: Subject = {
  key: 'judge',
  actual(entry, { result: { status }, judges }) {
    // An agent that gave no answer cannot blame its judge.
    if (status === 'failed' || status === 'cancelled') return { value: undefined };
    const name = textOf(entry, 'judge');
    const result = judges?.get(name);
    if (result === undefined) return { unknown: `${name} was not asked.` };
    if (result.status !== 'completed')
      return { unknown: `${name} gave no verdict: ${couldNotBeAsked(result) ?? result.error?.message ?? result.status}` };
    return { value: fieldAt(result.output, textOf(entry, 'output_field').split('.')) };
  },
  words: (entry) => `${textOf(entry, 'output_field')} of ${textOf(entry, 'judge')}`,
};
