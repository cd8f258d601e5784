import { abortable } from '../abort.js';
import type { EngineClient } from './engineClient.js';

export interface OpenOptions {
  /** Whether to wait for the database, because it was reachable before. */
  readonly waits: boolean;
  /** Aborted when the client is no longer needed. */
  readonly signal: AbortSignal;
}

interface Opened {
  readonly client: Promise<EngineClient>;
  readonly unneeded: AbortController;
}

/** One client with its connections for all concurrently followed runs: opened for the first, closed after the last. */
export class SharedClient {
  readonly #open: (options: OpenOptions) => Promise<EngineClient>;
  #users = 0;
  #opened: Opened | undefined;
  #closing: Promise<void> | undefined;
  #hasConnected = false;

  constructor(open: (options: OpenOptions) => Promise<EngineClient>) {
    this.#open = open;
  }

  /** The items of `work`, with the client. @throws the error of opening it, or the signal's reason while it opens */
  async *use<T>(
    signal: AbortSignal | undefined,
    work: (client: EngineClient) => AsyncGenerator<T, void, undefined>,
  ): AsyncGenerator<T, void, undefined> {
    this.#users += 1;
    try {
      this.#opened ??= this.#start();
      yield* work(await abortable(this.#opened.client, signal));
    } finally {
      this.#users -= 1;
      if (this.#users === 0) await this.#close();
    }
  }

  #start(): Opened {
    const unneeded = new AbortController();
    const client = this.#connect(unneeded.signal);
    const opened = { client, unneeded };
    // The next one tries again.
    client.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }

  async #connect(signal: AbortSignal): Promise<EngineClient> {
    await this.#closing;
    const client = await this.#open({ waits: this.#hasConnected, signal });
    this.#hasConnected = true;
    return client;
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.unneeded.abort(new Error('The database is no longer needed.'));
    const closing = opened?.client.then(
      (client) => client.close(),
      () => undefined,
    );
    this.#closing = closing;
    await closing;
  }
}
