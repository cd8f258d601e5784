import { InputInvalidError } from '../errors.js';
import { maxDepth } from '../jsonText/jsonShape.js';
import { findNotJson } from '../prompt/plainJson.js';

/** Characters of its texts and keys, and values, that a context may have together: about as much as a config file. */
const largest = 10_000_000;

/**
 * That a context can be handed on and written down. One that takes itself in again and again grows without end, and what a program gives may be
 * no JSON at all.
 *
 * @param place what made it, as a sentence begins
 * @throws InputInvalidError
 */
export function checkContext(context: unknown, place: string): void {
  const growth = growthOf(context, { left: largest }, 0);
  if (growth !== undefined)
    throw refused(`${place} makes a context ${growth}. Update single fields instead of taking {{context}} in whole.`);
  const notJson = findNotJson(context);
  if (notJson)
    throw refused(`${place} is not JSON: ${notJson.pointer === '' ? 'it' : notJson.pointer} ${notJson.problem}.`, notJson.pointer);
}

function growthOf(value: unknown, room: { left: number }, depth: number): string | undefined {
  room.left -= typeof value === 'string' ? value.length + 1 : 1;
  if (room.left < 0) return `of more than ${largest / 1_000_000} million characters`;
  if (depth > maxDepth) return `nested deeper than ${maxDepth} levels`;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    room.left -= key.length;
    const growth = growthOf(member, room, depth + 1);
    if (growth !== undefined) return growth;
  }
  return undefined;
}

function refused(message: string, path = ''): InputInvalidError {
  return new InputInvalidError(message, [{ path, keyword: 'context', message }]);
}
