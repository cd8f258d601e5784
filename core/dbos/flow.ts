import { randomUUID } from 'node:crypto';
import { CancelledError } from '../errors.js';
import { DBOSWorkflowConflictError, dbosErrors } from './dbosSdk.js';

/**
 * One execution of a flow (a run, or one of its tasks) in this process. It ends early in two ways: `cancel` asks the work to end with a result,
 * `stop` leaves the flow unchanged, for another worker or a later time.
 */
export class Flow {
  readonly id: string;
  readonly run_id: string;
  /** Id of this execution: distinguishes its own records from earlier ones. */
  readonly execution = randomUUID();
  readonly #controller = new AbortController();
  #stopped: { readonly reason: unknown } | undefined;

  constructor(id: string, run_id: string) {
    this.id = id;
    this.run_id = run_id;
  }

  /** Aborts when the flow is cancelled or stopped. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** The first reason why it was stopped. */
  get stopReason(): unknown {
    return this.#stopped?.reason;
  }

  /** Whether the flow is left to another worker; other reasons are failures of the flow itself. */
  get isLeft(): boolean {
    return this.isStopped && isLoss(this.stopReason);
  }

  cancel(reason: unknown = new CancelledError('The run was cancelled.')): void {
    this.#controller.abort(reason);
  }

  /** Stops storing. @returns the only error that the library does not store as the outcome of a step, to be thrown there */
  stop(reason: unknown): DBOSWorkflowConflictError {
    this.#stopped ??= { reason };
    this.#controller.abort(new CancelledError('The work continues elsewhere or later.', { cause: reason }));
    return new DBOSWorkflowConflictError(this.id);
  }

  throwIfStopped(): void {
    if (this.#stopped) throw this.#stopped.reason;
  }
}

/** The worker no longer owns its flows: it was considered dead, or it ends. */
export class WorkerLeftError extends Error {
  override readonly name = 'WorkerLeftError';
}

/** The flow pauses until it is resumed. */
export class FlowPause extends Error {
  override readonly name = 'FlowPause';
}

/** Whether an error means that the flow belongs to others now. */
export function isLoss(reason: unknown): boolean {
  return (
    reason instanceof WorkerLeftError ||
    reason instanceof DBOSWorkflowConflictError ||
    reason instanceof dbosErrors.DBOSWorkflowCancelledError
  );
}
