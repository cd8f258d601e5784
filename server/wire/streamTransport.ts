import type { Transport, TransportListener } from './transport.js';

const separator = Buffer.from('\r\n\r\n');
/** Headers are a line or two: whatever goes on for longer is none. */
const maxHeader = 4096;

/** What is used of a readable stream. */
export interface ByteSource {
  on(event: 'data' | 'end' | 'close' | 'error', listener: (chunk: Buffer) => void): unknown;
}

/** What is used of a writable stream. */
export interface ByteSink {
  on(event: 'error', listener: () => void): unknown;
  write(text: string, onSent?: () => void): unknown;
}

/** Messages with headers, as LSP has them on stdio, sockets and pipes (3.17, Base Protocol). Each is written at once, so that whoever reads wakes up once. */
export class StreamTransport implements Transport {
  private readonly input: ByteSource;
  private readonly output: ByteSink;
  /** What has arrived and is not read yet; joined only when a whole message is there, or a large one would be copied again and again. */
  private chunks: Buffer[] = [];
  private size = 0;
  /** Bytes of the message whose header has been read. */
  private expected: number | undefined;

  constructor(input: ByteSource, output: ByteSink) {
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
    const read = this.size === 0 && this.expected === undefined ? readPlain(chunk, listener) : 0;
    if (read === chunk.length) return;
    this.chunks.push(read === 0 ? chunk : chunk.subarray(read));
    this.size += chunk.length - read;
    // With nothing left, the next chunk is taken as it is and not copied to the rest.
    while (this.size > 0 || this.expected === 0) {
      if (this.expected === undefined && !this.readHeader(listener)) return;
      if (this.expected === undefined) continue;
      if (this.size < this.expected) return;
      const body = this.cut(this.expected);
      this.expected = undefined;
      handOver(body.toString('utf8'), listener);
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

/**
 * Hands over the messages that a chunk holds whole, as long as their headers are what nearly every client sends, and returns how many bytes
 * that were. Keystrokes arrive like that, and all of them are decoded at once instead of a header and a body at a time.
 */
function readPlain(chunk: Buffer, listener: TransportListener): number {
  const text = chunk.toString();
  // As many units as bytes: then every byte is a unit of its own, so places in the text are places in the chunk.
  if (text.length !== chunk.length) return 0;
  let at = 0;
  while (text.startsWith(plainHeader, at)) {
    let length = 0;
    let end = at + plainHeader.length;
    for (let digit = text.charCodeAt(end) - zero; 0 <= digit && digit <= 9; digit = text.charCodeAt(end) - zero) {
      length = length * 10 + digit;
      end += 1;
    }
    const body = end + separator.length;
    if (!text.startsWith('\r\n\r\n', end) || body + length > text.length) break;
    at = body + length;
    handOver(text.slice(body, at), listener);
  }
  return at;
}

const plainHeader = 'Content-Length: ';
const zero = 0x30;

function handOver(body: string, listener: TransportListener): void {
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch (error) {
    listener.fault(error);
    return;
  }
  listener.message(message);
}
