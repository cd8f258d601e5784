import { skipSpace, skipValue } from './jsonScan.js';
import { endOfString } from './jsonShape.js';

/** Where the members of a large object are written. Offsets count from the object's opening brace, so an object that moves keeps its layout. */
export interface TextLayout {
  /** Past the closing brace. */
  readonly end: number;
  /** In the order of the text. */
  readonly members: readonly MemberLayout[];
}

export interface MemberLayout {
  /** The key with its quotes. */
  readonly keyStart: number;
  readonly keyEnd: number;
  /** The value without the white space around it. */
  readonly start: number;
  readonly end: number;
  /** Of a value that is a large object itself. */
  readonly inside: TextLayout | undefined;
}

/** Below this, in UTF-16 units, looking into an object for what has changed saves less than it costs. */
export const largeObject = 2_048;

/**
 * The layout of the object at `start`, and of the large objects in it, in one pass.
 *
 * @param text JSON, at least from there to the object's end
 */
export function layoutOf(text: string, start: number): TextLayout {
  const { members, end } = membersFrom(text, start + 1, start);
  return { members, end: end + 1 - start };
}

/** The members from a place in an object on, whose brace is at `origin`, and where they end: at the closing brace, or where `text` ends. */
export function membersFrom(text: string, from: number, origin: number): { readonly members: MemberLayout[]; readonly end: number } {
  const members: MemberLayout[] = [];
  let at = skipSpace(text, from);
  while (text.charCodeAt(at) === 0x22 || text.charCodeAt(at) === 0x2c) {
    const key = text.charCodeAt(at) === 0x2c ? skipSpace(text, at + 1) : at;
    if (text.charCodeAt(key) !== 0x22) return { members, end: key };
    const keyEnd = endOfString(text, key) + 1;
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const inside = text.charCodeAt(start) === 0x7b ? layoutOf(text, start) : undefined;
    const end = inside === undefined ? skipValue(text, start) : start + inside.end;
    members.push({
      keyStart: key - origin,
      keyEnd: keyEnd - origin,
      start: start - origin,
      end: end - origin,
      inside: inside !== undefined && inside.end >= largeObject ? inside : undefined,
    });
    at = skipSpace(text, end);
  }
  return { members, end: at };
}

/** A member as it lies after something before it has grown by so many units. */
export function moved({ keyStart, keyEnd, start, end, inside }: MemberLayout, by: number): MemberLayout {
  return { keyStart: keyStart + by, keyEnd: keyEnd + by, start: start + by, end: end + by, inside };
}
