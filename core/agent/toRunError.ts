import { AgentStackError } from '../errors.js';
import type { RunError } from './events.js';

/** An error as results tell it. What is none of ours is a bug: code `internal`. */
export function toRunError(cause: unknown): RunError {
  if (cause instanceof AgentStackError) {
    const { code, message, details, recoverable } = cause;
    return { code, message, ...(details && { details }), recoverable };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return {
    code: 'internal',
    message: `Internal error: ${message}. This is a bug in Agent Stack; the log has its stack.`,
    recoverable: false,
  };
}
