import { AgentStackError } from './agentStackError.js';
import type { TokenUsage } from './generated/types.js';
import type { JsonObject } from './json.js';

export type LlmFailureReason =
  | 'no-provider'
  | 'no-key'
  | 'auth'
  | 'not-found'
  | 'rate-limit'
  | 'quota'
  | 'context-length'
  | 'content-filter'
  | 'refusal'
  | 'length'
  | 'incomplete'
  | 'bad-request'
  | 'server'
  | 'network';

/** The known facts about a failed model call. */
interface LlmFailure {
  /** HTTP. */
  readonly status?: number | undefined;
  /** Seconds the server asked to wait (`Retry-After`). */
  readonly retryAfter?: number | undefined;
  /** Default false. */
  readonly recoverable?: boolean;
  /** The provider's word for why the answer ended. */
  readonly finish_reason?: string | undefined;
  /** The usage that the provider bills for it. */
  readonly usage?: TokenUsage | undefined;
  readonly cause?: unknown;
}

/** A model call finally failed, after `attempts` attempts. */
export class LlmError extends AgentStackError {
  override readonly name = 'LlmError';
  readonly code = 'llm';
  readonly reason: LlmFailureReason;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly finish_reason: string | undefined;
  /** Of all attempts, as far as reported. */
  usage: TokenUsage | undefined;
  attempts = 1;
  override readonly recoverable: boolean;

  constructor(reason: LlmFailureReason, message: string, { cause, ...failure }: LlmFailure = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.status = failure.status;
    this.retryAfter = failure.retryAfter;
    this.finish_reason = failure.finish_reason;
    this.usage = failure.usage;
    this.recoverable = failure.recoverable ?? false;
  }

  override get details(): JsonObject {
    const { reason, attempts, status, finish_reason } = this;
    return { reason, attempts, ...(status !== undefined && { status }), ...(finish_reason !== undefined && { finish_reason }) };
  }
}
