import { isObject, type Json } from '../json.js';

/** The value at a dotted path, undefined if it does not exist. Own fields only; a number indexes a list, as in templates. */
export function fieldAt(value: Json | undefined, segments: readonly string[]): Json | undefined {
  let current = value;
  for (const segment of segments) {
    if (Array.isArray(current)) current = listIndex.test(segment) ? current[Number(segment)] : undefined;
    else current = isObject(current) && Object.hasOwn(current, segment) ? current[segment] : undefined;
  }
  return current;
}

/** A segment of a path that leads into a list. */
export const listIndex = /^(?:0|[1-9]\d*)$/;
