import type { KnownSecrets } from '../ports.js';
import { coverText, memberStart } from './coverValue.js';
import { isSecretName } from './secretPatterns.js';
import { privateKeyStart, secretShapes } from './secretShapes.js';

/** How much of the emitted text is examined again, in UTF-16 units: text that announces a key is shorter. */
const contextLength = 96;
/** No key is longer, in UTF-16 units: longer text without a break is something else. */
const longestHeld = 16 * 1024;

/** Text in a word that is a secret, or may become one. Nothing before the secret itself is secret. */
const secretBegins = new RegExp(secretShapes.flatMap(({ sign = [], begins = sign }) => begins).join('|'));
const scheme = /\b[Bb]earer\s$/;
const schemeLength = 8;
/** From this length on, a word with a digit may be one of the keys that can be recognized only by their middle. */
const longWord = 20;
/** The text before a value, whose name says whether the value is a secret. */
const memberBefore = new RegExp(`${memberStart.source}$`);
/** The shortest text that is a secret by its shape, in UTF-16 units. */
const shortestSecret = 8;
const privateKeyEnd = '-----END ';

/**
 * Covers secrets in a text that arrives piece by piece. The end of a piece that may be the beginning of a secret is held back until it is known to be
 * one or not; everything else is emitted at once. The text keeps its length.
 */
export class StreamCover {
  readonly #secrets: KnownSecrets | undefined;
  /** The end of the emitted text, in its received form. */
  #context = '';
  #held = '';
  /** Whether the last word is held: whatever continues it is held too. */
  #isWordHeld = false;

  constructor(secrets: KnownSecrets | undefined) {
    this.#secrets = secrets;
  }

  /** The text that can be emitted now; may be empty. */
  push(text: string): string {
    const goesOn = this.#isWordHeld && startOfWord(text) === 0;
    if (goesOn && this.#held.length + text.length <= longestHeld) {
      this.#held += text;
      return '';
    }
    const all = this.#context + this.#held + text;
    // If nothing was held back, no secret had begun, and so short a text cannot contain one.
    if (this.#held === '' && text.length < shortestSecret && this.#heldFrom(all) >= all.length) {
      this.#context = all.slice(-contextLength);
      return text;
    }
    const stop = Math.max(this.#context.length, this.#heldFrom(all));
    return this.#handOn(all, all.length - stop > longestHeld ? all.length : stop);
  }

  /** The rest: the text is complete, and any further input is another text. */
  end(): string {
    const all = this.#context + this.#held;
    const text = this.#handOn(all, all.length);
    this.#context = '';
    return text;
  }

  #handOn(all: string, stop: number): string {
    const text = coverText(all.slice(0, stop), this.#secrets).slice(this.#context.length);
    this.#held = all.slice(stop);
    this.#isWordHeld &&= this.#held !== '';
    this.#context = all.slice(Math.max(0, stop - contextLength), stop);
    return text;
  }

  #heldFrom(all: string): number {
    const secretStart = this.#secrets?.beginsAt(all) ?? all.length;
    this.#isWordHeld = false;
    const key = all.lastIndexOf(privateKeyStart);
    if (key !== -1 && !all.includes(privateKeyEnd, key)) return Math.min(secretStart, key);
    const start = startOfWord(all);
    const word = all.slice(start);
    this.#isWordHeld = secretBegins.test(word) || (word.length >= longWord && /\d/.test(word)) || saysSecret(all, start);
    return this.#isWordHeld ? Math.min(secretStart, start) : secretStart;
  }
}

/** Whether the text before a word says that it is a secret. */
function saysSecret(text: string, start: number): boolean {
  const before = text[start - 1];
  if (before === '"') {
    const name = memberBefore.exec(text.slice(0, start))?.[1];
    return name !== undefined && isSecretName(name);
  }
  return before !== undefined && before <= ' ' && scheme.test(text.slice(Math.max(0, start - schemeLength), start));
}

/** Where the last word begins, which is not yet ended by a space or quote. */
function startOfWord(text: string): number {
  let start = text.length;
  while (start > 0 && !isBetweenWords(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** White space and `"`, `'`, `` ` ``, `,`, `;`, `<`, `>`, brackets: none of them is in a key. */
function isBetweenWords(unit: number): boolean {
  return unit <= 32 || betweenWords.has(unit);
}

const betweenWords: ReadonlySet<number> = new Set([...'"\'`,;<>()[]{}'].map((character) => character.charCodeAt(0)));
