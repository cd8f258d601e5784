import type { TextRange } from '../finding.js';
import { nearestNames } from '../names.js';
import { shorten, trimEnd } from '../words.js';

/** What a word outside quotes was meant to be: empty for valid JSON, a sentence for a known error, undefined for anything else. */
export function wordHelp(word: string): string | undefined {
  if (/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(word)) return '';
  if (/^[+-]?(NaN|Infinity|inf)$/i.test(word)) return `${word} is not a JSON value. Write a number, or null for none.`;
  if (/^(true|false|null)$/i.test(word)) return `Found ${word}: JSON writes ${word.toLowerCase()} in small letters.`;
  if (/^(undefined|none|nil)$/i.test(word)) return `Found ${word}: JSON writes null, or leaves the key out.`;
  if (/^[+-]?0\d+(\.\d+)?$/.test(word)) return `The number ${word} begins with a zero. Write ${String(Number(word))}.`;
  if (/^[+-]?\.\d+([eE][+-]?\d+)?$/.test(word)) return `The number ${word} needs a digit before its point. Write ${String(Number(word))}.`;
  if (/^[+-]?\d+\.([eE][+-]?\d+)?$/.test(word)) return `The number ${word} needs a digit after its point. Write ${String(Number(word))}.`;
  if (/^\+\d+(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return `The number ${word} begins with +, which JSON does not know. Remove the sign.`;
  if (/^[+-]?0[xob][\da-f]+$/i.test(word)) return `${word} is not a JSON number: only decimal digits count.`;
  if (/^[+-]?\d[\d_]*\d$/.test(word)) return `The number ${word} has underscores, which JSON does not know. Remove them.`;
  return undefined;
}

/** A value without quotes, up to its intended end: a literal or number (even a malformed one), or words to the end of their line or entry. */
export function bareValue(text: string, { start, end }: TextRange): { readonly range: TextRange; readonly message: string } | undefined {
  const word = text.slice(start, end);
  const literal = trimEnd(word, ';)');
  const message = wordHelp(literal);
  if (message !== undefined) return { range: { start, end: start + literal.length }, message };
  if (!/^[\p{L}_$]/u.test(word)) return undefined;
  const stop = /[,{}[\]"\r\n]|:(?!\/\/)/g;
  stop.lastIndex = start;
  const words = text.slice(start, stop.exec(text)?.index).trimEnd();
  const [literalMeant] = nearestNames(words, ['true', 'false', 'null'], 1);
  const meant = literalMeant === undefined ? '' : ` Or was ${literalMeant} meant?`;
  return { range: { start, end: start + words.length }, message: `The text ${shorten(words, 40, '...')} needs double quotes.${meant}` };
}

/** Quotes that are not JSON's, with the quote that closes each. */
export const closers: Readonly<Record<string, string>> = {
  "'": "'",
  '`': '`',
  '\u201c': '\u201d',
  '\u201d': '\u201d',
  '\u2018': '\u2019',
  '\u201e': '\u201c',
};

/** A text in quotes that are not JSON's, closed on the same line; undefined if there is none at `start`. */
export function quotedWord(text: string, start: number): { range: TextRange; value: string; message: string } | undefined {
  const quote = text[start] ?? '';
  const closer = closers[quote];
  if (closer === undefined || text.startsWith('```', start)) return undefined;
  const end = endOfQuoted(text, start, closer);
  if (end === undefined) return undefined;
  const value = text.slice(start + 1, end);
  const names: Readonly<Record<string, string>> = { "'": 'Single quotes', '`': 'Backticks' };
  return {
    range: { start, end: end + 1 },
    value,
    message: `${names[quote] ?? 'Typographic quotes'} around ${shorten(value, 40, '...')}: JSON takes double quotes only (").`,
  };
}

/**
 * The offset of the quote that closes a text on the same line: the first one after which JSON may continue, so that `'it's here'` is one text, and
 * otherwise the first one. An escaped quote closes nothing.
 */
function endOfQuoted(text: string, start: number, closer: string): number | undefined {
  let first: number | undefined;
  for (let at = start + 1; at < text.length && text[at] !== '\n' && text[at] !== '\r'; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === closer) {
      if (endsText(text, at + 1)) return at;
      first ??= at;
    }
  }
  return first;
}

/** Whether a text may end before an offset: the line ends there, or punctuation follows. */
export function endsText(text: string, offset: number): boolean {
  const behind = /[^ \t]|$/g;
  behind.lastIndex = offset;
  const next = behind.exec(text)?.[0] ?? '';
  return next === '' || ',:}]\r\n'.includes(next);
}

/** What is wrong inside a string token: bad escapes, control characters, a missing end. */
export function stringFaults(text: string, { start, end }: TextRange): { message: string; range: TextRange; unclosed?: true }[] {
  const faults: { message: string; range: TextRange; unclosed?: true }[] = [];
  let at = start + 1;
  for (; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return faults;
    if (unit < 0x20) faults.push({ message: controlCharacter(unit), range: { start: at, end: at + 1 } });
    if (unit !== 0x5c) continue;
    const length = escapeLength(text, at);
    const next = text[at + 1] ?? '';
    if (length > 0) at += length - 1;
    else if (at + 1 >= end || next === '\n' || next === '\r') break;
    else {
      faults.push({ message: badEscape(next), range: { start: at, end: at + 2 } });
      at += 1;
    }
  }
  const message = `The text that begins here has no closing " on its line. A line break in a text is written \\n.`;
  faults.push({ message, range: { start, end }, unclosed: true });
  return faults;
}

/** A description of the character that also names invisible ones. */
export function characterName(word: string): string {
  const point = word.codePointAt(0) ?? 0;
  // Compiling a Unicode class takes a millisecond or two, and nearly all words begin with a letter.
  const isAscii = 0x20 < point && point < 0x7f;
  if (!isAscii && /^[\p{C}\p{Z}]/u.test(word)) return `an invisible character (U+${point.toString(16).toUpperCase().padStart(4, '0')})`;
  return shorten(word, 40, '...');
}

/** Units of a valid escape that begins at `at`; 0 if there is none. */
function escapeLength(text: string, at: number): number {
  const next = text[at + 1] ?? '';
  if (next === 'u') return /^[\da-fA-F]{4}$/.test(text.slice(at + 2, at + 6)) ? 6 : 0;
  return next !== '' && '"\\/bfnrt'.includes(next) ? 2 : 0;
}

function badEscape(next: string): string {
  if (next === 'u') return '\\u needs four hexadecimal digits after it, such as \\u00e9.';
  return `\\${next} is not an escape of JSON. Write \\\\${next} for a backslash${next === "'" ? ", or ' alone" : ''}.`;
}

function controlCharacter(unit: number): string {
  const short: Readonly<Record<number, string>> = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r' };
  const code = unit.toString(16).padStart(4, '0');
  const name = unit === 9 ? 'A tab' : `A control character (U+${code.toUpperCase()})`;
  return `${name} in a text: JSON writes it as ${short[unit] ?? `\\u${code}`}.`;
}
