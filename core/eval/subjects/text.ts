import type { Subject } from '../types.js';

/** The answer of an agent without structured output. */
export const text: Subject = {
  key: 'text',
  actual: (_entry, { result }) => ({ value: result.status === 'completed' ? result.text : undefined }),
  example: (_entry, expected) => (typeof expected === 'string' ? expected : undefined),
  words: () => 'the text',
};
