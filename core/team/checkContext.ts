import { InputInvalidError } from '../errors.js';
import { maxDepth } from '../jsonText/jsonShape.js';
import { findNotJson } from '../prompt/plainJson.js';

/** Most characters of texts and keys, plus values, of a context: about as much as a config file. */
const largest = 10_000_000;

/**
 * Checks that a context can be passed on and stored. One that includes itself again and again grows without end, and input from a program may
 * not be JSON at all.
 *
 * @param place what made it, as the start of a sentence
 * @throws InputInvalidError
 */
export function checkContext(context: unknown, place: string): void {
  const growth = growthOf(context, { remaining: largest }, 0);
  if (growth !== undefined)
    throw refused(`${place} makes a context ${growth}. Update single fields instead of inserting the whole {{context}}.`);
  const notJson = findNotJson(context);
  if (notJson)
    throw refused(`${place} is not JSON: ${notJson.pointer === '' ? 'it' : notJson.pointer} ${notJson.problem}.`, notJson.pointer);
}

function growthOf(value: unknown, room: { remaining: number }, depth: number): string | undefined {
  room.remaining -= typeof value === 'string' ? value.length + 1 : 1;
  if (room.remaining < 0) return `of more than ${largest / 1_000_000} million characters`;
  if (depth > maxDepth) return `nested deeper than ${maxDepth} levels`;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    room.remaining -= key.length;
    const growth = growthOf(member, room, depth + 1);
    if (growth !== undefined) return growth;
  }
  return undefined;
}

function refused(message: string, path = ''): InputInvalidError {
  return new InputInvalidError(message, [{ path, keyword: 'context', message }]);
}
