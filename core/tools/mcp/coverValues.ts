import type { Json } from '../../json.js';
import { replaceForms } from '../../secrets/replaceForms.js';
import { writtenForms } from '../../secrets/writtenForms.js';

/** What stands in a text in place of a value that must not be told. */
export const coverMark = '*****';

/** Shorter values are parts of ordinary words. */
const shortest = 3;

/** Takes values out of texts and JSON, in all forms in which they may be written. */
export interface Cover {
  text(text: string): string;
  json(value: Json): Json;
}

/** @param values none of which comes out of it */
export function createCover(values: Iterable<string>): Cover {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < shortest) continue;
    for (const form of writtenForms(value)) if (form.length >= shortest) forms.add(form);
  }
  // The longest first: one may be a part of another.
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
