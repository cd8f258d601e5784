import type { Json } from '../../json.js';
import { replaceForms } from '../../secrets/replaceForms.js';
import { writtenForms } from '../../secrets/writtenForms.js';

/** Replaces a value that must not be shown. */
export const coverMark = '*****';

/** Shorter values occur in ordinary words. */
const shortest = 3;

/** Masks values in texts and JSON, in all forms in which they may be written. */
export interface Cover {
  text(text: string): string;
  json(value: Json): Json;
}

export function createCover(values: Iterable<string>): Cover {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < shortest) continue;
    for (const form of writtenForms(value)) if (form.length >= shortest) forms.add(form);
  }
  // The longest first, since one may be part of another.
  const ordered = [...forms].sort((left, right) => right.length - left.length);
  const text = (from: string) => replaceForms(from, ordered, coverMark);
  const json = (value: Json): Json => {
    if (ordered.length === 0) return value;
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), json(item)]));
  };
  return { text, json };
}
