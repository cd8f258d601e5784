import type { RunError } from './generated/types.js';
import type { JsonObject } from './json.js';

/** Stable codes, in results, events and exit messages. `internal` is a bug in Agent Stack; users can act on all others. */
export type ErrorCode = RunError['code'];

/**
 * An error that a user can cause and fix. The message says what happened and what to do; `details` is plain JSON that may be shown
 * and stored (no secret); `recoverable` says whether the same call may succeed later without a change.
 */
export abstract class AgentStackError extends Error {
  abstract readonly code: ErrorCode;
  readonly recoverable: boolean = false;

  get details(): JsonObject | undefined {
    return undefined;
  }
}
