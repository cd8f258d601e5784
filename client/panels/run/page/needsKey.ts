import type { ViewFacts } from '../messages.js';

/** Whether a run failed since a key that the user can enter is missing or was refused by the provider. */
export function needsKey({ error }: Pick<ViewFacts, 'error'>): boolean {
  if (error === null) return false;
  return error.code === 'secret-missing' || (error.code === 'llm' && (error.reason === 'no-key' || error.reason === 'auth'));
}
