import type { TextRange } from '../finding.js';
import { endOfString, units } from './jsonShape.js';

/** A number of a JSON text that JavaScript, which has doubles (IEEE 754), cannot represent exactly. */
export interface InexactNumber {
  readonly range: TextRange;
  readonly written: string;
  /** The value it would have; `Infinity` for a number that is too large. */
  readonly held: number;
}

/** What a text with such a number must contain somewhere: many digits in a row, or a large exponent. */
const suspicious = /\d[\d.]{15}|\d[eE][+-]?\d{2}/;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The numbers of a JSON text, outside its strings, that cannot be represented as written, in order. */
export function findInexactNumbers(text: string): readonly InexactNumber[] {
  if (!suspicious.test(text)) return [];
  const inexact: InexactNumber[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === units.quote) {
      at = endOfString(text, at);
      if (at < 0) break;
      continue;
    }
    number.lastIndex = at;
    const written = number.exec(text)?.[0];
    if (written === undefined) continue;
    const held = Number(written);
    if (!isExact(written)) inexact.push({ range: { start: at, end: at + written.length }, written, held });
    at += written.length - 1;
  }
  return inexact;
}

/** The same text with such numbers as strings, for values that are only passed on: no digit is lost. */
export function quoteInexactNumbers(text: string): string {
  return findInexactNumbers(text).reduceRight(
    (rest, { range, written }) => `${rest.slice(0, range.start)}"${written}"${rest.slice(range.end)}`,
    text,
  );
}

/** Whether a JSON number is represented as written: the shortest decimal for the double has the same digits. */
export function isExact(written: string): boolean {
  const held = Number(written);
  return Number.isFinite(held) && digitsOf(written) === digitsOf(String(held));
}

/** Sign, digits and exponent in one form: `12.50` and `125e-1` are the same. */
function digitsOf(written: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(exponent) - part.length + digits.length - kept.length}`;
}

/** Why such a number is refused. */
export function inexactWords({ written, held }: InexactNumber): string {
  const short = written.length > 40 ? `${written.slice(0, 40)}...` : written;
  const becomes = Number.isFinite(held) ? `it would become ${held}` : 'it is too large';
  return `The number ${short} cannot be held exactly: ${becomes}. Write it as a text, or with fewer digits.`;
}
