import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Counts the requests of a server (pings, for example) whose answers it has not read yet. */
export class Unanswered {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** False if a message is one request too many. */
  admits(message: JSONRPCMessage): boolean {
    if (!('method' in message && 'id' in message)) return true;
    this.#count += 1;
    return this.#count <= this.#most;
  }

  /** Sends a message, which may be an answer. */
  async send(message: JSONRPCMessage, sending: Promise<void>): Promise<void> {
    try {
      await sending;
    } finally {
      if (!('method' in message)) this.#count -= 1;
    }
  }
}

/** Why the connection to a server with too many requests is closed; follows "The server". */
export const tooManyRequests = 'sends requests faster than it reads their answers';
