import type { RepairLog } from './repairLog.js';

export type StringReading =
  | { readonly value: string; readonly end: number }
  | { readonly value: undefined; readonly end: number; readonly problem: string; readonly keyword: string; readonly goesOn: boolean };

const escapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ["'", "'"],
]);
/** Characters in a string that need handling; everything between is copied unchanged. */
const special = /["'\\\p{Cc}]/gu;
const fenceLine = /[ \t]*(?:```|~~~)/y;
const fourDigits = /[0-9a-fA-F]{4}/y;

/**
 * Reads the string whose opening quote, `"` or `'`, is at `start`. Raw control characters are kept and noted; a string that has no
 * end, or runs into a code fence, is a fault at the place where the text stops.
 */
export function readString(text: string, start: number, repairs: RepairLog): StringReading {
  const quote = text[start];
  if (quote === "'") repairs.note('quotes', start);
  let value = '';
  let from = start + 1;
  for (;;) {
    special.lastIndex = from;
    const at = special.test(text) ? special.lastIndex - 1 : -1;
    if (at < 0) return cutOff(text.length);
    value += text.slice(from, at);
    const unit = text[at] ?? '';
    from = at + 1;
    if (unit === quote) return { value, end: from };
    if (unit === '\\') {
      const escaped = readEscape(text, from);
      if (escaped === undefined) {
        if (text.length - from < 5 && !text.slice(from).includes(quote ?? '')) return cutOff(text.length);
        const seen = JSON.stringify(text.slice(at, at + 2));
        return { value: undefined, end: at, problem: `${seen} is not an escape JSON knows.`, keyword: 'syntax', goesOn: true };
      }
      if (text[from] === "'") repairs.note('quotes', from);
      value += escaped.value;
      from = escaped.end;
      continue;
    }
    if (unit === '\n' || unit === '\r') {
      fenceLine.lastIndex = from;
      if (fenceLine.test(text)) return cutOff(at);
    }
    if (unit !== '"' && unit !== "'" && unit < ' ') repairs.note('control', at);
    value += unit;
  }
}

function readEscape(text: string, at: number): { readonly value: string; readonly end: number } | undefined {
  const unit = text[at] ?? '';
  const simple = escapes.get(unit);
  if (simple !== undefined) return { value: simple, end: at + 1 };
  fourDigits.lastIndex = at + 1;
  if (unit !== 'u' || !fourDigits.test(text)) return undefined;
  return { value: String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16)), end: at + 5 };
}

function cutOff(end: number): StringReading {
  return { value: undefined, end, problem: 'The answer ends in the middle of a string.', keyword: 'truncated', goesOn: false };
}
