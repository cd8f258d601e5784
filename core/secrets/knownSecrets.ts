import type { KnownSecrets } from '../ports.js';
import { cover } from './secretPatterns.js';

/** Shorter ones are in every other word: to cover them would show where they are rather than hide them. */
const shortest = 8;

/** Remembers nothing yet. */
export function createKnownSecrets(): KnownSecrets {
  /** As they are, and as JSON and URLs write them; the longest first, since one may be a part of another. */
  let forms: readonly string[] = [];
  let cleaned = new WeakSet();
  return {
    add(value) {
      if (value.length < shortest || forms.includes(value)) return;
      const written = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
      forms = [...new Set([...forms, ...written])].sort((left, right) => right.length - left.length);
      cleaned = new WeakSet();
    },
    isIn: (text) => forms.some((form) => text.includes(form)),
    cover: (text) => forms.reduce((covered, form) => (covered.includes(form) ? covered.replaceAll(form, cover(form)) : covered), text),
    clean: (value) => void cleaned.add(value),
    isClean: (value) => cleaned.has(value),
    beginsAt(text) {
      let first = text.length;
      for (const form of forms) first = Math.min(first, beginningOf(form, text));
      return first;
    },
  };
}

/** Where a text ends in the beginning of another, but not in all of it; its length where it does not. */
function beginningOf(whole: string, text: string): number {
  const start = whole[0] ?? '';
  const from = Math.max(0, text.length - whole.length + 1);
  for (let at = text.indexOf(start, from); at !== -1; at = text.indexOf(start, at + 1)) if (whole.startsWith(text.slice(at))) return at;
  return text.length;
}
