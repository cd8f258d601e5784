import type { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';

/** Above this many bytes waiting to be read, the connection is paused; below half of it, it goes on. */
const highWater = 256 * 1024;

interface Waiting {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

const finished: IteratorResult<Uint8Array, undefined> = { value: undefined, done: true };

/**
 * The bytes of a response, read once, as they come. It is its own async iterator, which is the quick way to read it; asked
 * for `getReader`, `pipeThrough`, `pipeTo` or `tee` it becomes a web stream. Nothing is read from the connection before
 * somebody reads, and no more than they can take.
 */
export class HttpBody implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #source: Readable;
  readonly #settled: () => void;
  #chunks: Uint8Array[] = [];
  #queued = 0;
  #waiting: Waiting[] = [];
  #used = false;
  #state: 'idle' | 'flowing' | 'ended' | 'failed' = 'idle';
  #error: unknown;
  #web: ReadableStream<Uint8Array> | undefined;

  /**
   * @param source what delivers the bytes, already decompressed
   * @param toFailure turns an error of the source into the one that readers get
   * @param settled called once, when the body has ended or failed
   */
  constructor(source: Readable, toFailure: (error: Error | undefined) => unknown, settled: () => void) {
    this.#source = source;
    this.#settled = settled;
    source.on('end', () => this.#end());
    source.on('error', (error) => this.#isOpen && this.fail(toFailure(error)));
    source.on('close', () => this.#isOpen && this.fail(toFailure(undefined)));
  }

  /** Whether somebody has begun to read. */
  get used(): boolean {
    return this.#used;
  }

  get locked(): boolean {
    return this.#web?.locked ?? false;
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#used = true;
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#queued -= chunk.byteLength;
      if (this.#queued < highWater / 2 && this.#source.isPaused()) this.#source.resume();
      return Promise.resolve({ value: chunk, done: false });
    }
    if (this.#state === 'failed') return Promise.reject(this.#error);
    if (this.#state === 'ended') return Promise.resolve(finished);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#state === 'idle') this.#flow();
    });
  }

  /** Gives up the rest of the body, and with it the connection. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#isOpen) {
      this.#end();
      this.#chunks = [];
      this.#source.destroy();
    }
    return Promise.resolve(finished);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the body with an error; what was not read yet is dropped. Does nothing once the body has ended. */
  fail(error: unknown): void {
    if (!this.#isOpen) return;
    this.#state = 'failed';
    this.#error = error;
    this.#chunks = [];
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    this.#source.destroy();
    this.#settled();
  }

  /** All bytes. @throws when there are more than `most`, without reading them */
  async bytes(most: number, tooLarge: () => unknown): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for (let step = await this.next(); !step.done; step = await this.next()) {
      parts.push(step.value);
      length += step.value.byteLength;
      if (length > most) {
        const error = tooLarge();
        this.fail(error);
        throw error;
      }
    }
    return parts.length === 1 ? Buffer.from(parts[0]!.buffer, parts[0]!.byteOffset, length) : Buffer.concat(parts, length);
  }

  getReader() {
    return this.#toWeb().getReader();
  }

  cancel(): Promise<void> {
    return this.return().then(() => undefined);
  }

  tee() {
    return this.#toWeb().tee();
  }

  pipeTo(...to: Parameters<ReadableStream<Uint8Array>['pipeTo']>) {
    return this.#toWeb().pipeTo(...to);
  }

  pipeThrough<T>(...through: Parameters<ReadableStream<Uint8Array>['pipeThrough']>): ReadableStream<T> {
    return this.#toWeb().pipeThrough(...through) as ReadableStream<T>;
  }

  values(): this {
    return this;
  }

  get #isOpen(): boolean {
    return this.#state === 'idle' || this.#state === 'flowing';
  }

  #toWeb(): ReadableStream<Uint8Array> {
    this.#web ??= new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { value, done } = await this.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => {
          await this.return();
        },
      },
      { highWaterMark: 0 },
    );
    return this.#web;
  }

  #flow(): void {
    this.#state = 'flowing';
    this.#source.on('data', (chunk: Uint8Array) => {
      const waiting = this.#waiting.shift();
      if (waiting !== undefined) {
        waiting.resolve({ value: chunk, done: false });
        return;
      }
      this.#chunks.push(chunk);
      this.#queued += chunk.byteLength;
      if (this.#queued >= highWater) this.#source.pause();
    });
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#state = 'ended';
    for (const { resolve } of this.#waiting.splice(0)) resolve(finished);
    this.#settled();
  }
}
