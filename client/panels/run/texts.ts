import { shorten } from '../../../core/words.js';
import type { ViewText } from './messages.js';

/** Texts up to this, in UTF-16 units, are sent with what they belong to; longer ones when they are unfolded. */
const mostAtOnce = 2_000;
/** Most units of a text that are sent to the page; the raw file has the rest. */
const mostShown = 4_000_000;
/** Units of the start of a text that fit a line of the timeline. */
const excerptUnits = 140;

/** The texts of one run that its page may ask for, by number. */
export class Texts {
  readonly #texts: string[] = [];

  add(text: string): ViewText {
    const isShort = text.length <= mostAtOnce;
    const part = this.#texts.push(isShort ? '' : text) - 1;
    return { part, excerpt: excerptOf(text), text: isShort ? text : null, units: text.length };
  }

  /** Undefined for a number that no text has. */
  find(part: number): { readonly text: string; readonly more: number } | undefined {
    const text = Object.hasOwn(this.#texts, part) ? this.#texts[part] : undefined;
    return text === undefined ? undefined : { text: text.slice(0, mostShown), more: Math.max(0, text.length - mostShown) };
  }
}

/** The start of a text on one line. */
export function excerptOf(text: string): string {
  // Only a bounded part is read, however much of it is white space.
  const start = text
    .slice(0, excerptUnits * 8)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return shorten(text.length > excerptUnits * 8 ? `${start}…` : start, excerptUnits);
}
