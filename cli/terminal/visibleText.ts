/**
 * What a terminal shows for a text from a file: characters that would move the cursor, switch styles, reorder or hide text
 * are spelled out as `<U+001B>`, so that no file can draw on the terminal and nothing invisible stays unseen.
 * Line breaks and tabs are spelled out too.
 */
export function visibleText(text: string): string {
  return text.replace(unprintable, spellOut);
}

/** The same for text of several lines: line breaks and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(unprintable, (character) => (character === '\n' || character === '\t' ? character : spellOut(character)));
}

/**
 * JSON in which such characters are written as escapes: the same value, and no less safe to look at. Two spaces a level,
 * short lists of plain values on one line.
 */
export function toVisibleJson(value: unknown): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2)
    .replace(unprintable, (character) => (character === '\n' ? character : character.split('').map(escapeUnit).join('')))
    .replace(plainList, (list, lines: string) => {
      const items = lines.split(/\n +/);
      const width = items.reduce((sum, item) => sum + item.length + 1, 1);
      return width <= widestList ? `[${items.join(' ')}]` : list;
    });
}

/** A list whose lines hold neither brackets nor braces. A line break inside JSON is never part of a string. */
const plainList = /\[\n +([^ [\]{}\n][^[\]{}\n]*(?:\n +[^ [\]{}\n][^[\]{}\n]*)*)\n +\]/g;
const widestList = 80;

/** A text cut into what a terminal shows as one unit (a letter with its accents, an emoji), with the columns each takes. */
export interface Cell {
  readonly text: string;
  /** Columns on a terminal: 0, 1, 2, or more for what is spelled out. */
  readonly width: number;
  /** UTF-16 units in the source text. */
  readonly start: number;
  readonly end: number;
}

/** `firstColumn` is where the text begins on its line, which decides how wide a tab is. */
export function toCells(text: string, firstColumn = 0): Cell[] {
  const cells: Cell[] = [];
  let column = firstColumn;
  for (const { segment, index } of graphemes.segment(text)) {
    const shown = segment === '\t' ? ' '.repeat(tabSize - (column % tabSize)) : visibleText(segment);
    const width = shown === segment ? widthOf(segment) : shown.length;
    cells.push({ text: shown, width, start: index, end: index + segment.length });
    column += width;
  }
  return cells;
}

const tabSize = 4;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Controls, line and paragraph separators, format characters, private use, lone surrogates, tags. The joiners that emoji and
 * some scripts need are left alone there; after ASCII they only hide.
 */
const unprintable =
  /(?<=[\0-\x7f])[\u200c\u200d]|[\p{Cc}\u2028\u2029\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}\p{Co}\u{e0000}-\u{e007f}]/gu;

/** East Asian Wide and Fullwidth of Unicode's EastAsianWidth.txt, by block, and emoji shown as pictures. */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{17000}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.+\ufe0f)/u;
const zeroWidth = /^[\p{Mn}\p{Me}\u200c\u200d]+$/u;

function widthOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return zeroWidth.test(grapheme) ? 0 : 1;
}

function spellOut(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
