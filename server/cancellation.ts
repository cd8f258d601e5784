/** Tells a request that its answer is no longer wanted: what is used of an `AbortSignal`, which is one. */
export interface RequestSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** @throws the reason */
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Ends a request. Every request has one and hardly any is cancelled: an `AbortController`, an event target with all that belongs to it, takes
 * a noticeable part of the time there is for a keystroke.
 */
export class Cancellation implements RequestSignal {
  aborted = false;
  reason: unknown;
  private listeners: readonly (() => void)[] = [];

  /** The first reason counts. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.listeners) listener();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners = [...this.listeners, listener];
  }
}
