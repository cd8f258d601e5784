import type { Readable, Writable } from 'node:stream';
import type { Transport, TransportListener } from './transport.js';

const separator = Buffer.from('\r\n\r\n');
/** Headers are a line or two: whatever goes on for longer is none. */
const maxHeader = 4096;

/** Messages with headers, as LSP has them on stdio, sockets and pipes (3.17, Base Protocol). Each is written at once, so that whoever reads wakes up once. */
export class StreamTransport implements Transport {
  private readonly input: Readable;
  private readonly output: Writable;
  /** What has arrived and is not read yet; joined only when a whole message is there, or a large one would be copied again and again. */
  private chunks: Buffer[] = [];
  private size = 0;
  /** Bytes of the message whose header has been read. */
  private expected: number | undefined;

  constructor(input: Readable, output: Writable) {
    this.input = input;
    this.output = output;
  }

  listen(listener: TransportListener): void {
    let isClosed = false;
    const close = () => {
      if (!isClosed) listener.closed();
      isClosed = true;
    };
    this.input.on('data', (chunk: Buffer) => this.take(chunk, listener));
    this.input.on('end', close);
    this.input.on('close', close);
    this.input.on('error', close);
    this.output.on('error', close);
  }

  send(message: object, onSent?: () => void): void {
    const body = JSON.stringify(message);
    this.output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, onSent);
  }

  private take(chunk: Buffer, listener: TransportListener): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    // With nothing left, the next chunk is taken as it is and not copied to the rest.
    while (this.size > 0 || this.expected === 0) {
      if (this.expected === undefined && !this.readHeader(listener)) return;
      if (this.expected === undefined) continue;
      if (this.size < this.expected) return;
      const body = this.cut(this.expected);
      this.expected = undefined;
      let message: unknown;
      try {
        message = JSON.parse(body.toString('utf8'));
      } catch (error) {
        listener.fault(error);
        continue;
      }
      listener.message(message);
    }
  }

  /** False when more must arrive first. A header without a length is skipped. */
  private readHeader(listener: TransportListener): boolean {
    const bytes = this.joined();
    const end = bytes.indexOf(separator);
    if (end < 0 && bytes.length <= maxHeader) return false;
    const header = this.cut(end < 0 ? bytes.length : end + separator.length).toString('latin1');
    const length = /^content-length:[ \t]*(\d+)[ \t]*\r?$/im.exec(header)?.[1];
    if (length === undefined) listener.fault(new Error('A message has no header Content-Length.'));
    else this.expected = Number(length);
    return true;
  }

  private cut(length: number): Buffer {
    const bytes = this.joined();
    this.chunks = length < bytes.length ? [bytes.subarray(length)] : [];
    this.size = bytes.length - length;
    return bytes.subarray(0, length);
  }

  private joined(): Buffer {
    if (this.chunks.length !== 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] as Buffer;
  }
}
