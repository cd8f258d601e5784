import type { ViewFacts } from '../messages.js';

/** Whether a run failed for want of a key that the user can enter: one that is missing, or that the provider refused. */
export function needsKey({ error }: Pick<ViewFacts, 'error'>): boolean {
  if (error === null) return false;
  return error.code === 'secret-missing' || (error.code === 'llm' && (error.reason === 'no-key' || error.reason === 'auth'));
}
