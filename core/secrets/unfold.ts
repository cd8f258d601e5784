/** A text whose base64 is broken into lines, as in MIME (76 columns) and PEM (64), with these lines joined. */
export interface Unfolded {
  readonly text: string;
  /** Puts the breaks back into a text of the same length. */
  refold(text: string): string;
  /** The offset in the folded text for one in the joined text. */
  placeOf(index: number): number;
}

/**
 * A line break with base64 on both sides, also as escaped in JSON, or in JSON within JSON. The line before it has at least 20 characters. At the
 * end of a streamed piece, a part of a break counts too. The beginning of a break is matched first, since it is rarer than base64.
 */
const fold =
  /(?=[\r\n\\])(?<=[A-Za-z0-9+/_-]{20})(?:(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)[ \t]{0,8}(?=[A-Za-z0-9+/_-]|$)|\r$|\\{1,8}r$|(?:\\{1,8}r)?\\{1,8}$)/g;

const breakSigns = ['\n', '\\', '\r'];

/** Undefined for a text without base64 that is broken into lines, the usual case. */
export function unfold(folded: string): Unfolded | undefined {
  if (!breakSigns.some((sign) => folded.includes(sign))) return undefined;
  const breaks: { readonly at: number; readonly text: string }[] = [];
  let removed = 0;
  const text = folded.replace(fold, (match, offset: number) => {
    breaks.push({ at: offset - removed, text: match });
    removed += match.length;
    return '';
  });
  if (breaks.length === 0) return undefined;
  return {
    text,
    refold(joined) {
      const ends = [...breaks.slice(1).map(({ at }) => at), joined.length];
      const lines = breaks.map(({ at, text }, index) => text + joined.slice(at, ends[index]));
      return joined.slice(0, breaks[0]?.at) + lines.join('');
    },
    placeOf: (index) => breaks.reduce((place, { at, text }) => (at <= index ? place + text.length : place), index),
  };
}
