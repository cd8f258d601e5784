import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { ByteLengthQueuingStrategy, ReadableStream } from 'node:stream/web';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { HttpFailure } from './httpFailure.js';

/** Above this many bytes waiting to be read, the connection is paused. */
const highWater = 256 * 1024;
/** How long to wait for the end of an abandoned body, in ms, so that its connection can be reused. */
const patience = 50;

export interface HttpBodyOptions {
  /** Upper limit of bytes. */
  readonly most: number;
  readonly tooLarge: () => Error;
  /** The error that readers get for one of the source; the argument is undefined if it closed before its end. */
  readonly toFailure: (error: Error | undefined) => unknown;
  /** Called once, when the body has ended, failed or been abandoned. */
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
  /** @param makeError not called for a body that has settled, as has every body that closes after its end */
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

/**
 * The body of a message decoded from its `content-encoding` (the header, or null). A truncated or damaged body ends with an error; cutting the
 * result off cuts the connection.
 */
export function decompressed(message: IncomingMessage, encoding: string | null): Readable {
  if (encoding === null) return message;
  const encodings = encoding.toLowerCase().split(',');
  let stream: Readable = message;
  for (const each of encodings.reverse()) stream = undo(each.trim(), stream);
  return stream;
}

function undo(encoding: string, stream: Readable): Readable {
  switch (encoding) {
    case '':
    case 'identity':
      return stream;
    case 'gzip':
    case 'x-gzip':
      return joined(stream, createGunzip());
    case 'br':
      return joined(stream, createBrotliDecompress());
    case 'deflate':
      return inflated(stream);
    default: {
      const result = new PassThrough();
      const encodings = 'gzip, deflate and br';
      result.destroy(new HttpFailure(`The answer is compressed as ${encoding}; only ${encodings} are understood.`, 'ERR_CONTENT_ENCODING'));
      stream.on('error', () => undefined);
      stream.destroy();
      return result;
    }
  }
}

/** `deflate` means zlib by the standard and a bare deflate stream to some servers; the first byte tells which. */
function inflated(stream: Readable): Readable {
  const result = new PassThrough();
  stream.once('readable', () => {
    const first = stream.read() as Buffer | null;
    if (first === null) {
      joined(stream, result);
      return;
    }
    stream.unshift(first);
    const isZlib = (first[0]! & 0x0f) === 8;
    pipeline(stream, isZlib ? createInflate() : createInflateRaw(), result, () => undefined);
  });
  stream.once('error', (error) => result.destroy(error));
  return result;
}

/** Connects two streams so that an error or an early end of either reaches the other; the second one's reader is notified. */
function joined<T extends NodeJS.ReadWriteStream & Readable>(from: Readable, to: T): T {
  return pipeline(from, to, () => undefined) as unknown as T;
}
