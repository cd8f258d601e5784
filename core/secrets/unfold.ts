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

/** Undefined for a text in which no base64 is broken into lines, as nearly all are. */
export function unfold(folded: string): Unfolded | undefined {
  if (!breakSigns.some((sign) => folded.includes(sign))) return undefined;
  const breaks: { readonly at: number; readonly text: string }[] = [];
  let removed = 0;
  const text = folded.replace(fold, (found, offset: number) => {
    breaks.push({ at: offset - removed, text: found });
    removed += found.length;
    return '';
  });
  if (breaks.length === 0) return undefined;
  return {
    text,
    refold(joined) {
      const ends = [...breaks.slice(1).map(({ at }) => at), joined.length];
      const lines = breaks.map((one, index) => one.text + joined.slice(one.at, ends[index]));
      return joined.slice(0, breaks[0]?.at) + lines.join('');
    },
    placeOf: (index) => breaks.reduce((place, one) => (one.at <= index ? place + one.text.length : place), index),
  };
}
