import type { TextRange } from '../finding.js';

export interface Token {
  /** `string`: from quote to quote, or to the end of its line if it is not closed. `word`: anything else up to white space or punctuation. */
  readonly type: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'word' | 'comment' | 'end';
  readonly range: TextRange;
}

/** The first token at or after `from`. Only JSON's four white-space characters are skipped. */
export function tokenAt(text: string, from: number): Token {
  const start = endOf(space, text, from);
  const first = text[start];
  switch (first) {
    case undefined:
      return { type: 'end', range: { start, end: start } };
    case '{':
    case '}':
    case '[':
    case ']':
    case ',':
    case ':':
      return { type: first, range: { start, end: start + 1 } };
    case '"':
      return { type: 'string', range: { start, end: endOfString(text, start) } };
    default:
  }
  if (text.startsWith('//', start)) return { type: 'comment', range: { start, end: endOf(lineComment, text, start) } };
  if (text.startsWith('/*', start)) {
    const close = text.indexOf('*/', start + 2);
    return { type: 'comment', range: { start, end: close < 0 ? text.length : close + 2 } };
  }
  return { type: 'word', range: { start, end: Math.max(start + 1, endOf(word, text, start)) } };
}

const space = /[ \n\r\t]*/y;
const lineComment = /[^\r\n]*/y;
const word = /[^\s,:{}[\]"/]*/y;

/** The end of a sticky pattern's match at `start`. */
function endOf(stretch: RegExp, text: string, start: number): number {
  stretch.lastIndex = start;
  stretch.test(text);
  return stretch.lastIndex;
}

/** The offset after the closing quote, or the end of the line or file. A loop: a pattern with alternatives needs stack for every character. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text[at];
    if (unit === '"') return at + 1;
    if (isLineEnd(unit)) return at;
    if (unit === '\\' && !isLineEnd(text[at + 1])) at += 1;
  }
  return text.length;
}

function isLineEnd(unit: string | undefined): boolean {
  return unit === '\n' || unit === '\r';
}
