import { maxDepth } from '../../core/jsonText/jsonShape.js';
import { readTokens, type TokenReader, type TokenType } from '../jsonTokens.js';
import { Brackets } from './brackets.js';

export interface Layout {
  /** One level of indentation: spaces, or a tab. */
  readonly unit: string;
  /** Whether the last line ends with a line break. Default: as it is. */
  readonly finalNewline?: boolean | undefined;
}

/** A stretch of white space, and what it should be. */
export interface SpaceEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Objects and lists that stand on one line stay there up to this width, in columns. */
const widest = 120;

/**
 * What to change in the white space between the tokens of a text, and nothing else: whatever the text says, it says the same afterwards. An
 * object or list that stands on one line and fits there stays there; every other has its members on lines of their own, with at most one
 * empty line between two. What is broken or commented keeps its line breaks. Idempotent, and linear in the length of the text. A text that
 * is nested more deeply than a config may be is left alone.
 */
export function layOut(text: string, { unit, finalNewline }: Layout): readonly SpaceEdit[] {
  const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const measured = measure(text);
  const brackets = new Brackets<Frame>();
  const edits: SpaceEdit[] = [];
  const token = readTokens(text);
  let before: Neighbour = { type: 'start', end: text.charCodeAt(0) === 0xfeff ? 1 : 0, isLoose: false };
  let opened = 0;
  let column = 0;

  for (token.read(before.end); token.type !== 'end'; token.read(token.end)) {
    const { type, start, end } = token;
    const isClosing = type === '}' || type === ']';
    const innermost = brackets.innermost;
    const closed = isClosing ? brackets.close(type) : undefined;
    const next: Neighbour = { type, end, isLoose: isLoose(token) || (isClosing && closed === undefined) };
    const gap = text.slice(before.end, start);
    const onNewLine = (kept: string) => (countBreaks(kept) > 1 ? eol : '') + eol + unit.repeat(brackets.level);
    // What closes more than the innermost bracket closes something broken.
    const around = isClosing && closed !== innermost ? undefined : innermost;
    const wanted = gapBetween(before, next, { gap, around, onNewLine });
    edits.push(...editOf(text, before.end, start, wanted));
    column = columnAfter(wanted, column) + end - start;
    if (type === '{' || type === '[') {
      if (brackets.level >= maxDepth) return [];
      const { isOneLine, width } = measured[opened] as Measured;
      opened += 1;
      const isEmpty = width <= 2;
      const fits = column + width <= widest && (brackets.level > 0 || isEmpty);
      brackets.push(type, { isFlat: isOneLine && fits, padding: /[ \t]/.test(text[end] ?? '') ? ' ' : '' });
    }
    before = next;
  }
  if (before.type === 'start' || before.isLoose) return edits;
  const gap = text.slice(before.end);
  const hasBreak = finalNewline ?? countBreaks(gap) > 0;
  return [...edits, ...editOf(text, before.end, text.length, hasBreak ? eol : '')];
}

interface Frame {
  readonly isFlat: boolean;
  /** What stands inside the brackets of one that stays on its line. */
  readonly padding: '' | ' ';
}

interface Neighbour {
  readonly type: TokenType | 'start';
  readonly end: number;
  /** A comment, an unclosed string or a bracket too many: white space beside it may mean something. */
  readonly isLoose: boolean;
}

interface Between {
  readonly gap: string;
  /** The object or list that both are in; undefined at the root, and where brackets do not match. */
  readonly around: Frame | undefined;
  /** A line break with the indentation that is due, and an empty line where the given text has one. */
  readonly onNewLine: (kept: string) => string;
}

function gapBetween(before: Neighbour, next: Neighbour, { gap, around, onNewLine }: Between): string {
  if (before.isLoose || next.isLoose || around === undefined) return before.type === 'start' && !next.isLoose ? '' : kept(gap, onNewLine);
  const { isFlat, padding } = around;
  const isClosing = next.type === '}' || next.type === ']';
  if (before.type === '{' || before.type === '[') {
    if (isClosing) return '';
    return isFlat ? padding : onNewLine('');
  }
  if (isClosing) return isFlat ? padding : onNewLine('');
  if (next.type === ',' || next.type === ':') return '';
  if (before.type === ':') return ' ';
  if (before.type === ',') return isFlat ? ' ' : onNewLine(gap);
  // Something is missing between the two.
  return kept(gap, onNewLine);
}

function kept(gap: string, onNewLine: Between['onNewLine']): string {
  return countBreaks(gap) > 0 ? onNewLine(gap) : gap;
}

interface Measured {
  /** Closed on the line it begins on, with nothing in it that must end its line. */
  readonly isOneLine: boolean;
  /** As it would be on one line, in UTF-16 units; 0 for what is never closed. */
  readonly width: number;
}

const neverClosed: Measured = { isOneLine: false, width: 0 };

/** Every object and list of a text, in the order they begin. */
function measure(text: string): readonly Measured[] {
  const found: Measured[] = [];
  const brackets = new Brackets<{ readonly at: number; readonly breaks: number; readonly begin: number }>();
  const token = readTokens(text);
  let breaks = 0;
  let width = 0;
  let lastEnd = 0;
  for (token.read(0); token.type !== 'end'; token.read(token.end)) {
    const { type, start, end } = token;
    if (isLoose(token) || countBreaks(text.slice(lastEnd, start)) > 0) breaks += 1;
    lastEnd = end;
    if (type === '{' || type === '[') {
      brackets.push(type, { at: found.length, breaks, begin: width });
      found.push(neverClosed);
    }
    width += end - start + (type === ',' || type === ':' ? 1 : 0);
    const closed = type === '}' || type === ']' ? brackets.close(type) : undefined;
    if (closed !== undefined) found[closed.at] = { isOneLine: closed.breaks === breaks, width: width - closed.begin };
  }
  return found;
}

function isLoose({ type, closed }: TokenReader): boolean {
  return type === 'comment' || (type === 'string' && !closed);
}

function countBreaks(gap: string): number {
  return gap.match(/\r\n|\r|\n/g)?.length ?? 0;
}

function columnAfter(gap: string, column: number): number {
  const lineBreak = Math.max(gap.lastIndexOf('\n'), gap.lastIndexOf('\r'));
  return lineBreak < 0 ? column + gap.length : gap.length - lineBreak - 1;
}

/** The smallest edit that makes a stretch what it should be; none where it is. Never parts a CR from its LF. */
function editOf(text: string, from: number, to: number, wanted: string): readonly SpaceEdit[] {
  const gap = text.slice(from, to);
  if (gap === wanted) return [];
  const most = Math.min(gap.length, wanted.length);
  let same = 0;
  while (same < most && gap[same] === wanted[same]) same += 1;
  if (same > 0 && gap[same - 1] === '\r') same -= 1;
  let end = 0;
  while (end < most - same && gap[gap.length - 1 - end] === wanted[wanted.length - 1 - end]) end += 1;
  if (end > 0 && gap[gap.length - end] === '\n') end -= 1;
  return [{ start: from + same, end: to - end, newText: wanted.slice(same, wanted.length - end) }];
}
