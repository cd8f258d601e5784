import { maxDepth } from '../config/jsonShape.js';
import { InputInvalidError } from '../errors.js';

/** Characters of its texts and keys, and values, that a context may have together: about as much as a config file. */
const largest = 10_000_000;

/**
 * That a context can be written down and handed on. One that takes itself in again and again grows without end, and what a program gives may
 * be no JSON at all.
 *
 * @param place what made it, as a sentence begins
 * @throws InputInvalidError
 */
export function checkContext(context: unknown, place: string): void {
  const fault = faultOf(context, { left: largest }, 0);
  if (fault === undefined) return;
  const message = `${place} ${fault}.`;
  throw new InputInvalidError(message, [{ path: '', keyword: 'context', message }]);
}

function faultOf(value: unknown, room: { left: number }, depth: number): string | undefined {
  room.left -= typeof value === 'string' ? value.length + 1 : 1;
  if (room.left < 0)
    return `makes a context of more than ${largest / 1_000_000} million characters. Update single fields instead of taking {{context}} in whole`;
  if (depth > maxDepth)
    return `makes a context nested deeper than ${maxDepth} levels. Update single fields instead of taking {{context}} in whole`;
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'holds a number that JSON cannot write. Give it as text, or leave it out';
  if (value === undefined || ['function', 'symbol', 'bigint'].includes(typeof value))
    return `holds a value of type ${typeof value}, which is no JSON. Leave it out, or give it as text`;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    room.left -= key.length;
    const fault = faultOf(member, room, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
