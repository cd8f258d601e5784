import type { RunError, RunResult } from '../agent/events.js';

/** Errors that say nothing about the agent: no model was called, or its answer did not arrive. */
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

/** The same for model calls. Other reasons are the model's own doing: it declined, or wrote too much. */
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

/** Whether the error of a run or task says nothing about the agent. */
export function couldNotBeAsked({ error }: Pick<RunResult, 'error'>): boolean {
  if (error === null) return false;
  const { reason, finish_reason } = error.details ?? {};
  // An empty answer that ended normally is the model's own doing.
  const isUnknown = reasons.has(reason) || (reason === 'incomplete' && finish_reason !== 'stop');
  return error.code === 'llm' ? isUnknown : codes.has(error.code);
}
