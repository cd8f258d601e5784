import { skipValue } from './jsonScan.js';
import { countKeys, keysAtMost, shapeOf } from './jsonShape.js';

/** In UTF-16 units. What is refused is looked at again on every level below, so larger values are gone into at once. */
const largest = 16_384;

/**
 * Where the object or list ends that begins at `start`, if it is JSON with unique keys: `JSON.parse` tells that many times faster than a look
 * at every token. Undefined where it is not, or is too large or nested too deeply to tell.
 *
 * @param depth levels around it
 */
export function endOfSound(text: string, start: number, depth: number): number | undefined {
  const ahead = text.slice(start, start + largest);
  const length = skipValue(ahead, 0);
  if (length < 0) return undefined;
  const written = ahead.slice(0, length);
  const keys = keysIn(written, depth);
  if (keys === Number.POSITIVE_INFINITY) return undefined;
  return keys === keysAtMost(written) || keys === shapeOf(written).keys ? start + length : undefined;
}

/** Infinite where it is no JSON, or nested too deeply. */
function keysIn(written: string, depth: number): number {
  try {
    return countKeys(JSON.parse(written), depth);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
