import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { HttpFailure } from './httpFailure.js';

/**
 * The body of a message without its `content-encoding` (the header, or null). A body that is cut off or damaged ends with an error; cutting the
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
      const known = 'gzip, deflate and br';
      result.destroy(new HttpFailure(`The answer is compressed as ${encoding}; only ${known} are understood.`, 'ERR_CONTENT_ENCODING'));
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

/** Connects two streams so that an error or an early end of either reaches the other; the second one's reader is told. */
function joined<T extends NodeJS.ReadWriteStream & Readable>(from: Readable, to: T): T {
  return pipeline(from, to, () => undefined) as unknown as T;
}
