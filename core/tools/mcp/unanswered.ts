import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Counts the requests of a server (pings, for example) that it has not taken our answer to yet. */
export class Unanswered {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** False when a message is one request too many. */
  admits(message: JSONRPCMessage): boolean {
    if (!('method' in message && 'id' in message)) return true;
    this.#count += 1;
    return this.#count <= this.#most;
  }

  /** Sends a message of ours, which may be an answer. */
  async send(message: JSONRPCMessage, sending: Promise<void>): Promise<void> {
    try {
      await sending;
    } finally {
      if (!('method' in message)) this.#count -= 1;
    }
  }
}

/** Why a connection is given up whose server sends one request too many; follows "The server". */
export const tooManyRequests = 'sends requests faster than it takes their answers';
