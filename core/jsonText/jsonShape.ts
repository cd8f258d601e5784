/** Objects and arrays nested deeper than this are refused: no config comes near it, and every recursion over a value stays safe. */
export const maxDepth = 200;

/**
 * How many `:` outside strings a text holds (in valid JSON: how many keys are written) and how deep its brackets go. One pass that
 * hops over strings. The depth stops counting above `maxDepth`, where the text is refused anyway.
 */
export function shapeOf(text: string): { readonly keys: number; readonly depth: number } {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  const length = text.length;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= 0x20) continue;
    if (unit === 0x22) {
      at = endOfString(text, at);
      if (at < 0) break;
    } else if (unit === 0x3a) keys += 1;
    else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      if (depth > deepest) {
        deepest = depth;
        if (deepest > maxDepth) break;
      }
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return { keys, depth: deepest };
}

/** The offset of the quote that ends the string whose first quote is at `start`, or -1. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/**
 * How many keys the objects of a parsed value have, over all levels; infinite when it is nested deeper than `maxDepth`.
 *
 * @param depth levels around `value`
 */
export function countKeys(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth >= maxDepth) return Number.POSITIVE_INFINITY;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null) count += countKeys(item, depth + 1);
    return count;
  }
  for (const key in value) {
    count += 1;
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === 'object' && item !== null) count += countKeys(item, depth + 1);
  }
  return count;
}

/**
 * How many keys a valid JSON text writes, told from its colons alone: several times faster than `shapeOf`, and never too few. Too many for
 * the rare text with a string that begins with a colon; infinite where a colon follows an escaped quote, so that only `shapeOf` can tell.
 */
export function keysAtMost(text: string): number {
  let keys = 0;
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    let before = colon - 1;
    let unit = text.charCodeAt(before);
    while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) {
      before -= 1;
      unit = text.charCodeAt(before);
    }
    if (unit !== 0x22) continue;
    if (text.charCodeAt(before - 1) === 0x5c) return Number.POSITIVE_INFINITY;
    keys += 1;
  }
  return keys;
}

function isEscaped(text: string, quote: number): boolean {
  let slash = quote - 1;
  while (text.charCodeAt(slash) === 0x5c) slash -= 1;
  return (quote - slash) % 2 === 0;
}
