import { visibleText } from '../../core/visibleText.js';

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
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment, index } of graphemes.segment(text)) {
    const visible = segment === '\t' ? ' '.repeat(tabSize - (column % tabSize)) : visibleText(segment);
    const width = visible === segment ? widthOf(segment) : visible.length;
    cells.push({ text: visible, width, start: index, end: index + segment.length });
    column += width;
  }
  return cells;
}

const tabSize = 4;
/** Made when first used: the system's tables take 7 ms to load. */
let graphemes: Intl.Segmenter | undefined;

/** East Asian Wide and Fullwidth of Unicode's EastAsianWidth.txt, by block, and emoji shown as pictures. */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{17000}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|.+\ufe0f)/u;
const zeroWidth = /^[\p{Mn}\p{Me}\u200c\u200d]+$/u;

function widthOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return zeroWidth.test(grapheme) ? 0 : 1;
}
