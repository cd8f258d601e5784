import type { HttpBody } from './httpBody.js';
import type { HttpHeaders } from './httpHeaders.js';

interface Head {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: HttpHeaders;
}

/**
 * The part of the web's `Response` that a program reading an answer uses; a real one costs a web stream each. `clone`,
 * which would need one, is refused. `text`, `json`, `bytes`, `arrayBuffer` and `blob` take at most `most` bytes.
 */
export class HttpResponse {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: HttpHeaders;
  readonly ok: boolean;
  readonly redirected = false;
  readonly type = 'basic';
  readonly body: HttpBody | null;
  readonly #most: number;
  readonly #tooLarge: () => unknown;

  constructor(head: Head, body: HttpBody | null, most: number, tooLarge: () => unknown) {
    this.url = head.url;
    this.status = head.status;
    this.statusText = head.statusText;
    this.headers = head.headers;
    this.ok = 200 <= head.status && head.status < 300;
    this.body = body;
    this.#most = most;
    this.#tooLarge = tooLarge;
  }

  get bodyUsed(): boolean {
    return this.body?.used ?? false;
  }

  async text(): Promise<string> {
    const text = (await this.#read()).toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.#read());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Uint8Array(await this.#read()).buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.arrayBuffer()], { type: this.headers.get('content-type') ?? '' });
  }

  async formData(): Promise<FormData> {
    return new Response(await this.arrayBuffer(), { headers: [...this.headers] }).formData();
  }

  clone(): never {
    throw new TypeError('This response cannot be cloned: read it once and keep what you need.');
  }

  async #read(): Promise<Buffer> {
    if (this.body === null) return Buffer.alloc(0);
    if (this.body.used || this.body.locked) throw new TypeError('The body of this response has already been read.');
    return await this.body.bytes(this.#most, this.#tooLarge);
  }
}
