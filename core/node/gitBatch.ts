import { maxFileBytes } from './nodeFiles.js';

interface Waiting {
  readonly resolve: (text: string | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Takes the output of `git cat-file --batch` apart: answers come in the order of the requests. */
export class BatchReader {
  private readonly waiting: Waiting[] = [];
  private failure: Error | undefined;
  /** Header line so far; undefined while in a body. */
  private header: string | undefined = '';
  private body: Buffer[] = [];
  /** Bytes of the body still to come, its closing line end included. */
  private missing = 0;
  private kept = false;

  /** The next answer. */
  expect(): Promise<string | undefined> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.header === undefined ? this.takeBody(rest) : this.takeHeader(this.header, rest);
  }

  /** Everything asked for and everything to come fails. Only the first failure counts. */
  fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.failure);
  }

  private takeHeader(before: string, rest: Buffer): Buffer {
    const end = rest.indexOf(0x0a);
    if (end < 0) {
      this.header = before + rest.toString('latin1');
      return rest.subarray(rest.length);
    }
    const line = before + rest.toString('latin1', 0, end);
    const blob = /^[0-9a-f]+ (\w+) (\d+)$/.exec(line);
    if (blob === null) {
      this.header = '';
      this.answer(undefined);
    } else {
      this.header = undefined;
      this.missing = Number(blob[2]) + 1;
      this.kept = blob[1] === 'blob' && this.missing <= maxFileBytes + 1;
    }
    return rest.subarray(end + 1);
  }

  private takeBody(rest: Buffer): Buffer {
    const part = rest.subarray(0, this.missing);
    if (this.kept) this.body.push(part);
    this.missing -= part.length;
    if (this.missing === 0) {
      const whole = Buffer.concat(this.body);
      this.answer(this.kept ? whole.toString('utf8', 0, whole.length - 1) : undefined);
      this.body = [];
      this.header = '';
    }
    return rest.subarray(part.length);
  }

  private answer(text: string | undefined): void {
    this.waiting.shift()?.resolve(text);
  }
}
