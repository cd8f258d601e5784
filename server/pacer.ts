import type { RequestSignal } from './cancellation.js';

/** Milliseconds of work after which others get their turn. A request and the change before it take two turns, so they wait for two slices. */
const slice = 4;

/**
 * Shares the thread between long work and requests: `pause` returns at once as long as the slice lasts, and after that when the event loop has
 * gone round. The loop counts as fair only when it is really left, so `setImmediate` (`nextTurn`), not a microtask.
 */
export class Pacer {
  private readonly now: () => number;
  private readonly nextTurn: () => Promise<void>;
  private started: number;
  /** Turns already promised: each of several works gets its own. */
  private turns: Promise<void> = Promise.resolve();

  constructor({ now, nextTurn }: { readonly now: () => number; readonly nextTurn: () => Promise<void> }) {
    this.now = now;
    this.nextTurn = nextTurn;
    this.started = now();
  }

  /** @throws the signal's reason when aborted */
  pause(signal?: RequestSignal): void | Promise<void> {
    signal?.throwIfAborted();
    if (this.now() - this.started < slice) return;
    return this.turn(signal);
  }

  private async turn(signal: RequestSignal | undefined): Promise<void> {
    this.turns = this.turns.then(this.nextTurn);
    await this.turns;
    this.started = this.now();
    signal?.throwIfAborted();
  }
}
