import { type Replacement, replacementsBetween } from './textChanges.js';

/** A JSON string literal as editable text. */
export interface ShownText {
  /**
   * The value with `\n` for every line break. Characters that no text file can hold (half a surrogate pair, NUL, a byte order mark at the start)
   * are shown as U+FFFD.
   */
  readonly text: string;
  /** Where each UTF-16 unit of `text` begins in the literal, and where the last one ends. */
  readonly starts: Uint32Array;
  /** The most frequent line break of the value, for new ones. */
  readonly lineBreak: '\n' | '\r\n' | '\r';
  /** Whether the literal escapes all of its characters beyond ASCII, so that added text is escaped too. */
  readonly isAscii: boolean;
}

const substitute = '\ufffd';
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' };

/** The text of a literal with its quotes; undefined if it is not a JSON string. */
export function showLiteral(literal: string): ShownText | undefined {
  if (!isJsonString(literal)) return undefined;
  const starts = new Uint32Array(literal.length);
  const parts: string[] = [];
  const breaks = { '\n': 0, '\r\n': 0, '\r': 0 };
  let hasEscaped = false;
  let hasPlain = false;
  let length = 0;
  let previous = '';
  for (let at = 1; at < literal.length - 1; ) {
    const run = endOfPlain(literal, at);
    if (run > at) {
      parts.push(literal.slice(at, run));
      previous = literal[run - 1] ?? '';
      for (; at < run; at++, length++) starts[length] = at;
      continue;
    }
    const { unit, end } = unitAt(literal, at);
    if (unit === '\n' && previous === '\r') {
      // Together with the CR it is one line break.
      breaks['\r'] -= 1;
      breaks['\r\n'] += 1;
    } else {
      if (unit === '\r' || unit === '\n') breaks[unit] += 1;
      starts[length] = at;
      length += 1;
      const character = shownUnit(unit, previous, literal, end, length === 1);
      parts.push(character);
      if (unit > '\u007f' && character === unit) {
        if (literal[at] === '\\') hasEscaped = true;
        else hasPlain = true;
      }
    }
    previous = unit;
    at = end;
  }
  starts[length] = literal.length - 1;
  const lineBreak = breaks['\r\n'] > breaks['\n'] ? '\r\n' : breaks['\r'] > breaks['\n'] ? '\r' : '\n';
  return { text: parts.join(''), starts: starts.subarray(0, length + 1), lineBreak, isAscii: hasEscaped && !hasPlain };
}

/**
 * What to replace in a literal so that its text becomes `edited`: only the stretches that differ, so that unedited text
 * stays exactly as written. Line breaks of any kind count as those of the literal. Offsets are the literal's.
 */
export function changeLiteral(literal: string, shown: ShownText, edited: string): readonly Replacement[] {
  const wanted = edited.includes('\r') ? edited.replace(/\r\n?/g, '\n') : edited;
  const changes = replacementsBetween(shown.text, wanted).map(({ start, end, text }): Replacement => {
    const from = shown.starts[start] ?? 1;
    const to = shown.starts[end] ?? literal.length - 1;
    return { start: from, end: to, text: escaped(text, shown, substitutesIn(literal, shown, start, end)) };
  });
  // Separate parts may have been joined: the halves of a surrogate pair, or CR and LF. Then the whole text is rewritten.
  if (changes.length > 0 && showLiteral(applied(literal, changes))?.text !== wanted)
    return [{ start: 1, end: literal.length - 1, text: escaped(wanted, shown, []) }];
  return changes;
}

/** A text after replacements, which are in order and do not overlap. */
export function applied(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, text: added } of replacements) {
    result += text.slice(from, start) + added;
    from = end;
  }
  return result + text.slice(from);
}

/** The offset in the shown text for one in the literal. */
export function shownOffset({ starts }: ShownText, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isJsonString(literal: string): boolean {
  if (literal.length < 2 || literal[0] !== '"') return false;
  try {
    JSON.parse(literal);
    return true;
  } catch {
    // A line break or a bad escape: the findings of the file report it.
    return false;
  }
}

/** The end of a run of characters that need no special treatment: the bulk of most texts. */
function endOfPlain(literal: string, from: number): number {
  let at = from;
  while (at < literal.length - 1 && literal.charCodeAt(at) < 0x80 && literal.charCodeAt(at) !== 0x5c) at += 1;
  return at;
}

function unitAt(literal: string, at: number): { readonly unit: string; readonly end: number } {
  const plain = literal[at] ?? '';
  if (plain !== '\\') return { unit: plain, end: at + 1 };
  const letter = literal[at + 1] ?? '';
  if (letter !== 'u') return { unit: escapes[letter] ?? letter, end: at + 2 };
  return { unit: String.fromCharCode(Number.parseInt(literal.slice(at + 2, at + 6), 16)), end: at + 6 };
}

function shownUnit(unit: string, previous: string, literal: string, end: number, isFirst: boolean): string {
  if (unit === '\r') return '\n';
  if (unit === '\0' || (isFirst && unit === '\ufeff')) return substitute;
  if (isHigh(unit)) return end < literal.length - 1 && isLow(unitAt(literal, end).unit) ? unit : substitute;
  // Two low surrogates after one high: the first has completed the pair.
  if (isLow(unit)) return isHigh(previous) ? unit : substitute;
  return unit;
}

/** The original escapes of the characters shown as U+FFFD in a stretch. */
function substitutesIn(literal: string, { text, starts }: ShownText, start: number, end: number): readonly string[] {
  const written: string[] = [];
  for (let at = text.indexOf(substitute, start); at >= 0 && at < end; at = text.indexOf(substitute, at + 1))
    written.push(literal.slice(starts[at], starts[at + 1]));
  return written;
}

/** Text as written between quotes. Characters shown as U+FFFD are written, in order, as before. */
function escaped(text: string, { lineBreak, isAscii }: ShownText, substitutes: readonly string[]): string {
  const broken = lineBreak === '\n' ? text : text.replaceAll('\n', lineBreak);
  // Editors warn about the two separators, which JSON allows unescaped.
  const beyond = isAscii ? /[\u0080-\uffff]/g : /[\u2028\u2029]/g;
  const parts = JSON.stringify(broken).slice(1, -1).split(substitute);
  const written = parts.map((part) => part.replace(beyond, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
  return written.reduce((all, part, index) => all + (substitutes[index - 1] ?? (isAscii ? '\\ufffd' : substitute)) + part);
}

function isHigh(unit: string): boolean {
  return '\ud800' <= unit && unit <= '\udbff';
}

function isLow(unit: string): boolean {
  return '\udc00' <= unit && unit <= '\udfff';
}
