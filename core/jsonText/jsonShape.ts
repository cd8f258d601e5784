import { createScanner } from 'jsonc-parser';
import type { JsonObject } from '../json.js';

/** Objects and arrays nested deeper than this are refused: no config comes near this, and every recursion over a value stays safe. */
export const maxDepth = 200;

/** UTF-16 units. */
export const units = { quote: 0x22, comma: 0x2c, colon: 0x3a, bracket: 0x5b, bracketEnd: 0x5d, brace: 0x7b, braceEnd: 0x7d } as const;

/**
 * How many `:` outside strings a text holds (in valid JSON: the number of keys) and how deep its brackets go. The depth stops counting
 * above `maxDepth`, since the text is refused then anyway.
 */
export function shapeOf(text: string): { readonly keys: number; readonly depth: number } {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= maxDepth; at++) {
    const unit = text.charCodeAt(at);
    if (unit === units.quote) {
      at = endOfString(text, at);
      if (at < 0) break;
    } else if (unit === units.colon) keys += 1;
    else if (unit === units.brace || unit === units.bracket) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (unit === units.braceEnd || unit === units.bracketEnd) depth -= 1;
  }
  return { keys, depth: deepest };
}

/** Whether reading a text that need not be JSON would take a recursive parser below `maxDepth` levels. */
export function isTooDeep(text: string): boolean {
  const opening = text.match(/[[{]/g) ?? [];
  return opening.length > maxDepth && openBrackets(text, text.length, maxDepth).length > maxDepth;
}

/**
 * Offsets of the objects and lists that are open at an offset of a text, JSON or not: a bracket of the wrong kind closes nothing.
 *
 * @param most the search stops if more than this are open
 */
export function openBrackets(text: string, end: number, most = Number.POSITIVE_INFINITY): readonly number[] {
  const scanner = createScanner(text, true);
  const open: number[] = [];
  for (scanner.scan(); scanner.getTokenOffset() < end && open.length <= most; scanner.scan()) {
    const at = scanner.getTokenOffset();
    if (text[at] === '{' || text[at] === '[') open.push(at);
    else if (text[at] === closerOf(text[open.at(-1) ?? -1])) open.pop();
  }
  return open;
}

/** The bracket that closes an opening one. */
export function closerOf(opener: string | undefined): '}' | ']' | undefined {
  return opener === '{' ? '}' : opener === '[' ? ']' : undefined;
}

/** The offset of the quote that ends the string whose first quote is at `start`, or -1. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** The number of keys in a parsed value, on all levels. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  else for (const key of Object.keys(value)) count += 1 + countKeys((value as JsonObject)[key]);
  return count;
}

function isEscaped(text: string, quote: number): boolean {
  let slash = quote - 1;
  while (text[slash] === '\\') slash -= 1;
  return (quote - slash) % 2 === 0;
}
