import type { Readable } from 'node:stream';
import { ByteLengthQueuingStrategy, ReadableStream } from 'node:stream/web';

/** Above this many bytes waiting to be read, the connection is paused. */
const highWater = 256 * 1024;
/** How long the end of a body that is given up is awaited, in ms, so that its connection can be used again. */
const patience = 50;

export interface HttpBodyOptions {
  /** Most bytes. */
  readonly most: number;
  readonly tooLarge: () => Error;
  /** The error that readers get for one of the source; undefined where it closed before its end. */
  readonly toFailure: (error: Error | undefined) => unknown;
  /** Called once, when the body has ended, failed or been given up. */
  readonly settled: () => void;
}

export interface HttpBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Ends the body with an error. Does nothing once it has settled. */
  fail(error: unknown): void;
}

/** The bytes of a response, already decompressed, as a web stream. */
export function createHttpBody(source: Readable, { most, tooLarge, toFailure, settled }: HttpBodyOptions): HttpBody {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let isSettled = false;
  let received = 0;

  const settle = (how: () => void): void => {
    if (isSettled) return;
    isSettled = true;
    how();
    settled();
  };
  /** @param makeError not called for a body that has settled, as every one has that closes after its end */
  const failWith = (makeError: () => unknown): void =>
    settle(() => {
      controller.error(makeError());
      source.destroy();
    });
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (started) => {
        controller = started;
      },
      pull: () => {
        source.resume();
      },
      cancel: () =>
        settle(() => {
          const timer = setTimeout(() => source.destroy(), patience);
          source.once('close', () => clearTimeout(timer)).resume();
        }),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: highWater }),
  );
  source.on('data', (chunk: Uint8Array) => {
    if (isSettled) return;
    received += chunk.byteLength;
    if (received > most) {
      failWith(tooLarge);
      return;
    }
    controller.enqueue(chunk);
    if ((controller.desiredSize ?? 0) <= 0) source.pause();
  });
  source.on('end', () => settle(() => controller.close()));
  source.on('error', (error) => failWith(() => toFailure(error)));
  source.on('close', () => failWith(() => toFailure(undefined)));
  return { stream, fail: (error) => failWith(() => error) };
}
