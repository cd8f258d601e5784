import type { RunError, RunResult } from '../agent/events.js';

/** Ends of a run that say nothing of the agent: nothing was asked, or the answer did not arrive. */
const codes: ReadonlySet<RunError['code']> = new Set([
  'unknown-agent-config',
  'config-syntax',
  'config-invalid',
  'input-invalid',
  'timeout',
  'budget-exceeded',
  'secret-missing',
  'denied',
  'replay-mismatch',
  'storage',
  'cancelled',
  'internal',
]);

/** The same of calls of a model. The others are its own doing: it declined, or wrote too much. */
const reasons: ReadonlySet<unknown> = new Set([
  'no-provider',
  'no-key',
  'auth',
  'not-found',
  'rate-limit',
  'quota',
  'bad-request',
  'server',
  'network',
]);

/** Whether a run, or a task, says nothing of the agent. */
export function couldNotBeAsked({ error }: Pick<RunResult, 'error'>): boolean {
  if (error === null) return false;
  const { reason, finish_reason } = error.details ?? {};
  // An answer that ended as it should and is empty is the model's own doing.
  const isUnknown = reasons.has(reason) || (reason === 'incomplete' && finish_reason !== 'stop');
  return error.code === 'llm' ? isUnknown : codes.has(error.code);
}
