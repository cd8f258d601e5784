/**
 * The headers of an answer, read-only: the reading half of the web's `Headers`, which costs more to fill than an answer to
 * parse. Names are matched without letter case; a repeated header is one text joined by commas, but for `set-cookie`.
 */
export class HttpHeaders {
  readonly #values = new Map<string, string>();
  readonly #cookies: string[] = [];

  /** @param raw names and values in turn, as `IncomingMessage.rawHeaders` has them */
  constructor(raw: readonly string[]) {
    for (let index = 0; index + 1 < raw.length; index += 2) {
      const name = raw[index]!.toLowerCase();
      const value = raw[index + 1]!;
      const before = this.#values.get(name);
      this.#values.set(name, before === undefined ? value : `${before}, ${value}`);
      if (name === 'set-cookie') this.#cookies.push(value);
    }
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  getSetCookie(): string[] {
    return [...this.#cookies];
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries();
  }

  keys(): MapIterator<string> {
    return this.#values.keys();
  }

  values(): MapIterator<string> {
    return this.#values.values();
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.#values.entries();
  }

  forEach(each: (value: string, name: string) => void): void {
    for (const [name, value] of this.#values) each(value, name);
  }
}
