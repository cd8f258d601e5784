import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../json.js';
import { quoteInexactNumbers } from '../../jsonText/exactNumbers.js';
import type { Clock, LogLevel, RunningProcess } from '../../ports.js';
import { shorten } from '../../words.js';
import type { Cover } from './coverValues.js';
import { longestAnswer, longestBatch, stoppedWords, tooLongWords } from './limits.js';
import { readLines } from './lines.js';
import { tooManyRequests, Unanswered } from './unanswered.js';

/** Longest line of stderr that is logged, in bytes; longer ones are skipped. */
const longestNote = 64 * 1024;
/** How much of a line that is not a message is logged, in characters. */
const longestGarbage = 200;
/** How many of them are logged: a program that logs to stdout never stops. */
const loggedGarbage = 20;
/** How long a program may take to end by itself, in ms, and again after a signal. */
const grace = 1000;
/** How long to keep reading after the program has ended, in ms: its last output may still be on its way. */
const afterEnd = 200;
/** JSON-RPC's code for an invalid message. */
const invalidAnswer = -32600;
/** Most requests of the server whose answers it has not read yet; a server that reads its input never comes near. */
const mostUnanswered = 10_000;
/** How much of its last stderr output is reported with its end, in characters. */
const longestNotes = 500;

export interface StdioOptions {
  readonly log: (level: LogLevel, message: string) => void;
  /** Masks secrets in the program's output before it is cut. */
  readonly cover: Cover;
  readonly clock: Clock;
}

/**
 * The stdio transport of MCP over a running process: one JSON message per line in both directions. Lines that are not messages are logged and
 * skipped; stderr goes to the log. It closes when the program ends, and ends the program when it closes.
 */
export class StdioTransport implements Transport {
  // Set by the protocol; absent and undefined mean the same.
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  readonly #process: RunningProcess;
  readonly #log: (level: LogLevel, message: string) => void;
  readonly #cover: Cover;
  readonly #clock: Clock;
  readonly #unanswered = new Unanswered(mostUnanswered);
  #garbage = 0;
  #notes = '';
  #closing: Promise<void> | undefined;
  #end: string | undefined;
  #hasEnded = false;
  #resolveEnded: () => void = () => undefined;
  readonly #ended = new Promise<void>((resolve) => {
    this.#resolveEnded = resolve;
  });

  constructor(process: RunningProcess, { log, cover, clock }: StdioOptions) {
    this.#process = process;
    this.#log = log;
    this.#cover = cover;
    this.#clock = clock;
  }

  /** With these the SDK knows it as a transport over pipes, where silence after `server/discover` means an older server. */
  readonly stderr = null;
  readonly pid = null;

  /** Why it closed, as a phrase after "The server"; undefined while it is open. */
  get end(): string | undefined {
    return this.#end;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  async start(): Promise<void> {
    const reading = Promise.all([this.#follow(this.#readMessages()), this.#follow(this.#readNotes())]);
    void this.#watchEnd(reading);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#unanswered.send(message, this.#process.write(`${JSON.stringify(message)}\n`));
    } catch (error) {
      // The reason of its end says more than the failed write.
      await this.#atMost(2 * afterEnd, this.#ended);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#finish(stoppedWords);
    await this.#closing;
  }

  async #readMessages(): Promise<void> {
    const tooLong = () => this.#finish(tooLongWords);
    for await (const line of readLines(this.#process.stdout, longestAnswer, tooLong)) {
      if (line.trim() === '') continue;
      if (line.length > longestBatch && line.trimStart().startsWith('[')) {
        tooLong();
        return;
      }
      const messages = toMessages(line);
      if (messages === undefined) this.#skip(line);
      else for (const message of messages) this.#receive(message);
    }
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#end !== undefined) return;
    if (this.#unanswered.admits(message)) this.onmessage?.(message);
    else this.#finish(tooManyRequests);
  }

  async #readNotes(): Promise<void> {
    const tooLong = () => this.#log('warn', `wrote a line of more than ${longestNote / 1024} KB to stderr, which is left out`);
    for await (const line of readLines(this.#process.stderr, longestNote, tooLong)) {
      if (line.trim() === '') continue;
      const masked = this.#cover.text(line);
      this.#notes = `${this.#notes}${masked}\n`.slice(-longestNotes);
      this.#log('info', masked);
    }
  }

  async #watchEnd(reading: Promise<unknown>): Promise<void> {
    const { code, signal, failure } = await this.#process.ended;
    await this.#atMost(afterEnd, reading);
    if (failure !== undefined) this.#finish(`could not be started: ${failure}`);
    else {
      const notes = this.#notes.trim();
      this.#hasEnded = this.#end === undefined;
      const lastOutput = notes === '' ? '' : `, and said last: ${notes}`;
      this.#finish(`ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}${lastOutput}`);
    }
  }

  async #atMost(milliseconds: number, done: Promise<unknown>): Promise<void> {
    let cancel: () => void = () => undefined;
    const time = new Promise<void>((resolve) => {
      cancel = this.#clock.after(milliseconds, resolve);
    });
    await Promise.race([done, time]);
    cancel();
  }

  #skip(line: string): void {
    this.#garbage += 1;
    if (this.#garbage > loggedGarbage) return;
    const quoted = shorten(this.#cover.text(line), longestGarbage, '...');
    this.#log('warn', `wrote a line to stdout that is not a message, which is skipped: ${quoted}`);
    if (this.#garbage === loggedGarbage) this.#log('warn', 'keeps writing such lines; further ones are not logged');
  }

  /** A stream fails with its process, whose end says more. */
  #follow(reading: Promise<void>): Promise<void> {
    return reading.catch((error: unknown) =>
      this.#log('debug', `stream closed: ${error instanceof Error ? error.message : String(error)}`),
    );
  }

  #finish(end: string): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    // Programs that it started may outlive it.
    this.#closing = this.#process.stop(grace);
    this.#resolveEnded();
    this.onclose?.();
  }
}

/** The messages of a line (older versions of the protocol send several in an array); undefined for anything else. */
function toMessages(line: string): readonly JSONRPCMessage[] | undefined {
  const first = line.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(quoteInexactNumbers(line));
  } catch {
    return undefined;
  }
  const messages = Array.isArray(value) ? value : [value];
  return messages.every((message) => isObject(message) && message.jsonrpc === '2.0') ? messages.map(toReadable) : undefined;
}

/** The SDK ignores an answer without a valid result, and would wait until its time limit. */
function toReadable(message: JSONRPCMessage): JSONRPCMessage {
  if (!('id' in message) || 'method' in message || message.id === undefined) return message;
  const hasForm = 'result' in message ? isObject(message.result) : isObject(message.error) && Number.isInteger(message.error.code);
  if (hasForm) return message;
  return {
    jsonrpc: '2.0',
    id: message.id,
    error: { code: invalidAnswer, message: 'its answer has neither a result nor an error of the protocol' },
  };
}
