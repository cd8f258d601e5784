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
  const start = endOf(space, text, from);
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
/** What stands for itself in a string: all but quotes, backslashes and control characters. */
const ordinary = /[ !#-[\]-\uffff]*/y;

const blank = '[ \\n\\r\\t]*';
const scalar = '(?:"[ !#-[\\]-\\uffff]*"|true|false|null|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)';

/** An item of a list that is a literal, a number or a string of ordinary characters, and the comma after it. Sticky. */
export const plainItem = new RegExp(`${blank}${scalar}${blank},`, 'y');

/** The same with a key before it, which is the first group. */
export const plainMember = new RegExp(`${blank}"([ !#-[\\]-\\uffff]*)"${blank}:${blank}${scalar}${blank},`, 'y');

/** Where a stretch ends that begins at `start`. The pattern repeats one class: the engine runs that as a loop, fast from the first call on. */
function endOf(stretch: RegExp, text: string, start: number): number {
  stretch.lastIndex = start;
  stretch.test(text);
  return stretch.lastIndex;
}

/** To the closing quote, or to the end of the line or file. A loop, since a pattern with alternatives needs stack for every character. */
function stringAt(text: string, start: number): Token {
  let at = start + 1;
  let plain = true;
  for (; at < text.length; at++) {
    at = endOf(ordinary, text, at);
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return { type: 'string', range: { start, end: at + 1 }, plain };
    if (unit === 0x0a || unit === 0x0d) break;
    if (unit === 0x5c) {
      plain = false;
      const next = text.charCodeAt(at + 1);
      if (next !== 0x0a && next !== 0x0d) at += 1;
    } else plain = false;
  }
  return { type: 'string', range: { start, end: Math.min(at, text.length) }, plain: false };
}
