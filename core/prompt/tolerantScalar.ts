import type { Json } from '../json.js';
import { isExact } from '../jsonText/exactNumbers.js';

export type ScalarReading =
  | { readonly value: Json; readonly end: number /** Written `True`, `False` or `None`. */; readonly isPython: boolean }
  | { readonly problem: string; readonly keyword: string };

const word = /[A-Za-z_$][\w$]*/y;
const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** What may come right after a number: space, a separator, a comment, a code fence. */
const afterNumber = /[\s,\]}/`~]/;
const literals = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
]);
const notJson = /-?(?:NaN|Infinity)|undefined/y;
const quotedLength = 40;

/** Reads the number or literal at `at`. At the very end of the text it may be incomplete: a number there is a fault. */
export function readScalar(text: string, at: number): ScalarReading {
  const foreign = matchAt(notJson, text, at);
  if (foreign !== '') return { problem: `${foreign} is not a JSON value.`, keyword: 'type' };
  const name = matchAt(word, text, at);
  return name === '' ? readNumber(text, at) : readLiteral(text, at, name);
}

function readLiteral(text: string, at: number, name: string): ScalarReading {
  const value = literals.get(name);
  const end = at + name.length;
  if (value !== undefined) return { value, end, isPython: /^[A-Z]/.test(name) };
  const mayGoOn = end === text.length && [...literals.keys()].some((literal) => literal.startsWith(name));
  if (mayGoOn) return cutOff;
  return { problem: `Expected a value, found the bare word ${JSON.stringify(name.slice(0, quotedLength))}.`, keyword: 'syntax' };
}

function readNumber(text: string, at: number): ScalarReading {
  const digits = matchAt(numberForm, text, at);
  const end = at + digits.length;
  if (digits === '') {
    if (text[at] === '-' && at + 1 === text.length) return cutOff;
    return { problem: `Expected a value, found ${JSON.stringify(text[at])}.`, keyword: 'syntax' };
  }
  if (end === text.length) return cutOff;
  if (!afterNumber.test(text.charAt(end))) {
    const seen = text.slice(at, Math.min(end + 1, at + quotedLength));
    return { problem: `${JSON.stringify(seen)} does not begin a JSON number.`, keyword: 'syntax' };
  }
  const value = Number(digits);
  if (!Number.isFinite(value)) return { problem: `The number ${digits.slice(0, quotedLength)} is too large.`, keyword: 'type' };
  if (!isExact(digits))
    return { problem: `The number ${digits.slice(0, quotedLength)} cannot be held exactly: it would become ${value}.`, keyword: 'type' };
  return { value, end, isPython: false };
}

const cutOff: ScalarReading = { problem: 'The answer ends in the middle of a value.', keyword: 'truncated' };

function matchAt(form: RegExp, text: string, at: number): string {
  form.lastIndex = at;
  return form.exec(text)?.[0] ?? '';
}
