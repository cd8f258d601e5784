import type { KnownSecrets } from '../ports.js';
import { cover } from './secretPatterns.js';
import { unfold } from './unfold.js';
import { writtenForms } from './writtenForms.js';

/** Shorter ones occur in many words: covering them would reveal rather than hide them. */
const shortest = 8;

/** Empty at first. */
export function createKnownSecrets(): KnownSecrets {
  const secrets = new Set<string>();
  /** Written forms of all secrets; the longest first, since one may be part of another. */
  let forms: readonly string[] = [];
  let beginnings: readonly string[] = [];
  let cleaned = new WeakSet();
  return {
    add(value) {
      // In the sent form: without white space around the key.
      const secret = value.trim();
      if (secret.length < shortest || secrets.has(secret)) return;
      secrets.add(secret);
      forms = [...new Set([...forms, ...writtenForms(secret)])].sort((left, right) => right.length - left.length);
      beginnings = [...new Set(forms.map((form) => form.slice(0, tellingLength(form))))];
      cleaned = new WeakSet();
    },
    mayBeIn(text) {
      const isIn = (whole: string) => beginnings.some((beginning) => whole.includes(beginning));
      return beginnings.length > 0 && (isIn(text) || isIn(unfold(text)?.text ?? ''));
    },
    cover(text) {
      if (forms.length === 0) return text;
      const covered = coverForms(text, forms);
      const unfolded = unfold(covered);
      if (unfolded === undefined) return coverCut(covered, forms);
      return unfolded.refold(coverCut(coverForms(unfolded.text, forms), forms));
    },
    clean: (value) => void cleaned.add(value),
    isClean: (value) => cleaned.has(value),
    beginsAt(text) {
      const unfolded = forms.length === 0 ? undefined : unfold(text);
      const whole = unfolded?.text ?? text;
      const first = forms.reduce((least, form) => Math.min(least, beginningOf(form, whole)), whole.length);
      if (first === whole.length) return text.length;
      return unfolded?.placeOf(first) ?? first;
    },
  };
}

function coverForms(text: string, forms: readonly string[]): string {
  return forms.reduce((covered, form) => (covered.includes(form) ? covered.replaceAll(form, cover(form)) : covered), text);
}

/** How long a beginning of a form must be to be more than a common prefix such as `sk-proj-`. */
function tellingLength(form: string): number {
  return Math.min(16, Math.max(shortest, Math.ceil(form.length / 2)));
}

/** A text may have been cut in the middle of a secret: the part at the end, or before an ellipsis, is covered. */
function coverCut(text: string, forms: readonly string[]): string {
  const mark = ['...', '…'].find((ellipsis) => text.endsWith(ellipsis)) ?? '';
  const end = text.length - mark.length;
  const rest = text.slice(0, end);
  let first = end;
  for (const form of forms) {
    const at = beginningOf(form, rest);
    if (end - at >= tellingLength(form)) first = Math.min(first, at);
  }
  return first === end ? text : rest.slice(0, first) + cover(rest.slice(first)) + mark;
}

/** The offset at which a text ends with a beginning of another, but not all of it; the text's length if it does not. */
function beginningOf(whole: string, text: string): number {
  const start = whole[0] ?? '';
  const from = Math.max(0, text.length - whole.length + 1);
  for (let at = text.indexOf(start, from); at !== -1; at = text.indexOf(start, at + 1)) if (whole.startsWith(text.slice(at))) return at;
  return text.length;
}
