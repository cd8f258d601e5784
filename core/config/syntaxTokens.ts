import type { TextRange } from '../finding.js';

export interface Token {
  /** `string`: from quote to quote, or to the end of its line when it is not closed. `word`: anything else up to white space or punctuation. */
  readonly type: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'word' | 'comment' | 'end';
  readonly range: TextRange;
  /** Of a closed string: it holds no escape and no control character, so it says what it seems to. */
  readonly plain?: boolean;
}

/** The first token at or after `from`. Only JSON's four white-space characters are stepped over. */
export function tokenAt(text: string, from: number): Token {
  let start = from;
  while (isSpace(text.charCodeAt(start))) start += 1;
  if (start >= text.length) return { type: 'end', range: { start: text.length, end: text.length } };
  const first = text[start] as string;
  switch (first) {
    case '{':
    case '}':
    case '[':
    case ']':
    case ',':
    case ':':
      return { type: first, range: { start, end: start + 1 } };
    case '"':
      return stringAt(text, start);
    default:
  }
  if (text.startsWith('//', start)) return { type: 'comment', range: { start, end: match(lineComment, text, start) } };
  if (text.startsWith('/*', start)) {
    const close = text.indexOf('*/', start + 2);
    return { type: 'comment', range: { start, end: close < 0 ? text.length : close + 2 } };
  }
  return { type: 'word', range: { start, end: Math.max(start + 1, match(word, text, start)) } };
}

const lineComment = /[^\r\n]*/y;
const word = /[^\s,:{}[\]"/]+/y;

function match(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return start + (pattern.exec(text)?.[0].length ?? 0);
}

/** To the closing quote, or to the end of the line or file. A loop, since a pattern with alternatives needs stack for every character. */
function stringAt(text: string, start: number): Token {
  let at = start + 1;
  let plain = true;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return { type: 'string', range: { start, end: at + 1 }, plain };
    if (unit === 0x0a || unit === 0x0d) break;
    if (unit === 0x5c) {
      plain = false;
      const next = text.charCodeAt(at + 1);
      if (next !== 0x0a && next !== 0x0d) at += 1;
    } else if (unit < 0x20) plain = false;
  }
  return { type: 'string', range: { start, end: Math.min(at, text.length) }, plain: false };
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
