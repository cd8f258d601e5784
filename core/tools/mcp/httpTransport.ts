import type { JSONRPCMessage, StreamableHTTPClientTransport, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { isObject } from '../../json.js';
import type { Clock, Fetch } from '../../ports.js';
import { boundedBody } from './boundedBody.js';
import { exactBody } from './exactBody.js';
import { longestAnswer, longestBatch, longestRefusal, stoppedWords, tooLongWords } from './limits.js';
import { tooManyRequests, Unanswered } from './unanswered.js';

/** How long after its end an answer counts as incomplete, in ms: its last message may still be on its way. */
const afterEnd = 200;
/** Time limit for ending a session, in ms. */
const goodbye = 1000;
/** Most requests of a server that are answered at a time: each answer needs a connection. */
const mostUnanswered = 100;

export interface HttpTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/**
 * The SDK's streamable HTTP transport over the `fetch` port (proxies, certificates), with four additions: bodies are bounded, so are the server's
 * requests, numbers in answers keep their precision, and a request whose answer breaks off fails at once instead of timing out.
 */
export async function createHttpTransport(target: HttpTarget, ports: HttpPorts): Promise<HttpTransport> {
  const { StreamableHTTPClientTransport } = await import('./mcpSdk.js');
  return new HttpTransport(StreamableHTTPClientTransport, target, ports);
}

class HttpTransport implements Transport {
  // Set by the protocol; absent and undefined mean the same.
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #ports: HttpPorts;
  readonly #unanswered = new Unanswered(mostUnanswered);
  /** By id of an unanswered request, a function that cancels its timer. */
  readonly #waiting = new Map<unknown, () => void>();
  #end: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(Inner: typeof StreamableHTTPClientTransport, { url, headers }: HttpTarget, ports: HttpPorts) {
    this.#ports = ports;
    this.#inner = new Inner(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: (input, init) => this.#fetch(input, init),
    });
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => this.#receive(message);
  }

  /** Each request has a stream of its own, which the protocol closes to cancel it. */
  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream;
  }

  /** Why it closed, as a phrase after "The server"; undefined while it is open. */
  get end(): string | undefined {
    return this.#end;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    return this.#unanswered.send(message, this.#inner.send(message, options as Parameters<StreamableHTTPClientTransport['send']>[1]));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#end ??= stoppedWords;
    let cancel: () => void = () => undefined;
    const time = new Promise<void>((resolve) => {
      cancel = this.#ports.clock.after(goodbye, resolve);
    });
    await Promise.race([this.#inner.terminateSession().catch(() => undefined), time]);
    cancel();
    for (const id of [...this.#waiting.keys()]) this.#settle(id);
    await this.#inner.close();
  }

  #giveUp(words: string): void {
    this.#end ??= words;
    void this.#inner.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#end !== undefined) return;
    if (!this.#unanswered.admits(message)) {
      this.#giveUp(tooManyRequests);
      return;
    }
    if ('id' in message && !('method' in message)) this.#settle(message.id);
    this.onmessage?.(message);
  }

  async #fetch(input: string | URL, init: RequestInit | undefined): Promise<Response> {
    const id = requestId(init?.body);
    if (id !== undefined) this.#waiting.set(id, () => undefined);
    try {
      return this.#bounded(await this.#ports.fetch(input, init), id);
    } catch (error) {
      this.#waiting.delete(id);
      throw error;
    }
  }

  #bounded(response: Response, id: unknown): Response {
    const { body, status, statusText, headers, ok } = response;
    if (body === null) return response;
    const isEventStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
    let isResumable = false;
    const bounded = boundedBody(body, {
      longest: ok ? longestAnswer : longestRefusal,
      longestArray: ok ? longestBatch : longestRefusal,
      isEventStream: ok && isEventStream,
      chunk: (text) => {
        isResumable ||= /^id:/m.test(text);
      },
      // The beginning of an error response is enough.
      tooLong: () => ok && this.#giveUp(tooLongWords),
      end: () => {
        if (!ok || isResumable || !this.#waiting.has(id)) return;
        this.#waiting.set(
          id,
          this.#ports.clock.after(afterEnd, () => this.#lose(id)),
        );
      },
    });
    return new Response(ok ? exactBody(bounded, isEventStream) : bounded, { status, statusText, headers });
  }

  /** True if the request had no answer yet. */
  #settle(id: unknown): boolean {
    this.#waiting.get(id)?.();
    return this.#waiting.delete(id);
  }

  #lose(id: unknown): void {
    if (!this.#settle(id)) return;
    const error = { code: lostCode, message: 'The answer ended before it was complete' };
    this.onmessage?.({ jsonrpc: '2.0', id, error } as JSONRPCMessage);
  }
}

/** Code for a lost answer, outside the range that JSON-RPC gives to servers. */
export const lostCode = -1_000_000;

/** The id of a request that expects an answer. */
function requestId(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  const message: unknown = JSON.parse(body);
  return isObject(message) && 'method' in message ? message.id : undefined;
}
