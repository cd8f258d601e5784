import type { Interface } from 'node:readline';
import type { Cli } from '../cli.js';

type Stdin = Cli['stdin'];

/**
 * The lines that a person types. One reader for each stdin, since two would both get every line; and one question after the other, since one person
 * answers.
 */
export class Answers {
  static readonly #all = new WeakMap<Stdin, Answers>();
  readonly #stdin: Stdin;
  readonly #lines: string[] = [];
  readonly #waiting: ((line: string | undefined) => void)[] = [];
  #reader: Interface | undefined;
  #holders = 0;
  #isOver = false;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(stdin: Stdin) {
    this.#stdin = stdin;
  }

  static of({ stdin }: Cli): Answers {
    const answers = Answers.#all.get(stdin) ?? new Answers(stdin);
    Answers.#all.set(stdin, answers);
    return answers;
  }

  /** Runs after all questions before it have been answered. Stdin is let go of afterwards, unless it is held. */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    const run = async () => {
      const release = this.hold();
      try {
        return await question();
      } finally {
        release();
      }
    };
    const answer = this.#last.then(run);
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** Keeps lines that are typed ahead until it is released. */
  hold(): () => void {
    this.#holders += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0) this.#close();
    };
  }

  /** The next line; undefined at the end of stdin, and when the signal ends. Within `ask`. */
  async next(signal?: AbortSignal): Promise<string | undefined> {
    this.#reader ??= await this.#open();
    const reader = this.#reader;
    const line = this.#lines.shift();
    if (line !== undefined || this.#isOver || signal?.aborted) return line;
    reader.resume();
    const answer = await new Promise<string | undefined>((resolve) => {
      this.#waiting.push(resolve);
      signal?.addEventListener('abort', () => {
        const index = this.#waiting.indexOf(resolve);
        if (index >= 0) this.#waiting.splice(index, 1);
        resolve(undefined);
      });
    });
    // An editor reads the same stdin.
    if (!this.#isOver) reader.pause();
    return answer;
  }

  async #open(): Promise<Interface> {
    const { createInterface } = await import('node:readline');
    const reader = createInterface({ input: this.#stdin });
    reader.on('line', (line) => {
      const first = this.#waiting.shift();
      if (first) first(line);
      else this.#lines.push(line);
    });
    reader.on('close', () => {
      if (reader === this.#reader) this.#isOver = true;
      for (const each of this.#waiting.splice(0)) each(undefined);
    });
    return reader;
  }

  #close(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#lines.length = 0;
    reader?.close();
  }
}
