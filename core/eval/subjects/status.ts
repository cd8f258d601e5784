import type { Subject } from '../types.js';
import { taskOf } from './outputField.js';
import { textOf } from './textOf.js';

/** How the run ended, or a task of it, as in a condition: `success` or `failure`. */
export const status: Subject = {
  key: 'status',
  actual(entry, { result }) {
    const ended = entry.task === undefined ? result.status : taskOf(result.output, textOf(entry, 'task'))?.status;
    return { value: ended === 'completed' ? 'success' : 'failure' };
  },
  words: (entry) => (entry.task === undefined ? 'the status' : `the status of ${textOf(entry, 'task')}`),
};
