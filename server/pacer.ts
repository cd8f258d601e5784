/** Milliseconds of work after which others get their turn. */
const slice = 8;

/**
 * Shares the thread between long work and requests: `pause` returns at once as long as the slice lasts, and after that when the event loop has
 * gone round. The loop counts as fair only when it is really left, so `setImmediate` (`nextTurn`), not a microtask.
 */
export class Pacer {
  private readonly now: () => number;
  private readonly nextTurn: () => Promise<void>;
  private started: number;

  constructor({ now, nextTurn }: { readonly now: () => number; readonly nextTurn: () => Promise<void> }) {
    this.now = now;
    this.nextTurn = nextTurn;
    this.started = now();
  }

  /** @throws the signal's reason when aborted */
  pause(signal?: AbortSignal): void | Promise<void> {
    signal?.throwIfAborted();
    if (this.now() - this.started < slice) return;
    return this.turn(signal);
  }

  private async turn(signal: AbortSignal | undefined): Promise<void> {
    await this.nextTurn();
    this.started = this.now();
    signal?.throwIfAborted();
  }
}
