// The one tool of the loop benchmarks, the same for everybody.

export const description = 'Looks up the entry of a key in the store.';
export const parameters = {
  type: 'object',
  properties: { key: { type: 'string', description: 'The key to look up' } },
  required: ['key'],
  additionalProperties: false,
};

/** A line of 300 characters. */
export function lookup({ key }) {
  return `${key}: ${'the entry of this key, as the store has it; '.repeat(8)}`.slice(0, 300);
}
