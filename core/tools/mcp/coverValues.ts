import type { Json } from '../../json.js';

/** What stands in a text in place of a value that must not be told. */
export const coverMark = '*****';

/** Shorter values are parts of ordinary words. */
const shortest = 3;

/** Shorter lines of a value are not its secret. */
const shortestLine = 8;

/** Takes values out of texts and JSON: as they are, and as JSON and URLs write them. */
export interface Cover {
  text(text: string): string;
  json(value: Json): Json;
}

/** @param values none of which comes out of it */
export function createCover(values: Iterable<string>): Cover {
  const forms = new Set<string>();
  for (const value of values) {
    if (value.length < shortest) continue;
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeUrl(value), ...longLines(value)]) forms.add(form);
  }
  // The longest first: one may be a part of another.
  const ordered = [...forms].sort((left, right) => right.length - left.length);
  const text = (from: string) => ordered.reduce((covered, form) => covered.replaceAll(form, coverMark), from);
  const json = (value: Json): Json => {
    if (ordered.length === 0) return value;
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), json(item)]));
  };
  return { text, json };
}

/** A key of several lines may be told line by line. */
function longLines(value: string): readonly string[] {
  return value.includes('\n') ? value.split(/\r?\n/).filter((line) => line.length >= shortestLine) : [];
}

/** Half a surrogate pair has no form in a URL. */
function encodeUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed?.() ?? value);
}
