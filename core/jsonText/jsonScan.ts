import { endOfString } from './jsonShape.js';

/** The offset of the next unit that is no JSON white space; the length of the text when there is none. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at += 1;
  }
}

/** The offset after the value at `start`, or -1. Counts brackets and hops over strings, so depth does not matter. */
export function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === 0x22) return endOfString(text, start) + 1 || -1;
  if (first !== 0x7b && first !== 0x5b) return skipLiteral(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at = endOfFlat(text, at + 1)) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      at = endOfString(text, at);
      if (at < 0) return -1;
    } else if (unit === 0x7b || unit === 0x5b) depth += 1;
    else {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** How many brackets are open before an offset; -1 when it is in a string. */
export function depthAt(text: string, offset: number): number {
  const before = text.slice(0, offset);
  let depth = 0;
  for (let at = endOfFlat(before, 0); at < offset; at = endOfFlat(before, at + 1)) {
    const unit = before.charCodeAt(at);
    if (unit === 0x22) {
      at = endOfString(before, at);
      if (at < 0) return -1;
    } else depth += unit === 0x7b || unit === 0x5b ? 1 : -1;
  }
  return depth;
}

/**
 * The offset of the next bracket or of a string with an escape in it; after many strings, of whatever comes next. The pattern is a loop of the
 * engine's own, fast from the first call on.
 */
function endOfFlat(text: string, start: number): number {
  flat.lastIndex = start;
  flat.test(text);
  return flat.lastIndex;
}

const flat = /[^"{}[\]]*(?:"[^"\\]*"[^"{}[\]]*){0,32}/y;

function skipLiteral(text: string, start: number): number {
  const literal = /[-+.\w]+/y;
  literal.lastIndex = start;
  const length = literal.exec(text)?.[0].length ?? 0;
  return length === 0 ? -1 : start + length;
}

/** A key as it is written, quotes included, as it is meant. */
export function decodeKey(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // A bad escape: no pointer can name this key, and the syntax rules report it.
    return quoted;
  }
}
