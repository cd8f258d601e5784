import type { Subject } from '../types.js';
import { textOf } from './textOf.js';

/** How often a tool was called. */
export const tool: Subject = {
  key: 'tool',
  actual: (entry, { result }) => ({ value: result.tool_calls.filter(({ name }) => name === entry.tool).length }),
  words: (entry) => `the number of calls of ${textOf(entry, 'tool')}`,
};
