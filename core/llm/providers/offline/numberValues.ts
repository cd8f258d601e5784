import type { JsonObject } from '../../../json.js';
import type { Payload } from './payload.js';

/** Numbers tried upwards, downwards and in between. */
const tries = 64;

/** Numbers for a field, likeliest first: those of the payload, then what the limits and multiples allow. Each still has to be checked. */
export function* numberValues(plain: readonly JsonObject[], { words }: Payload): Generator<number, void, undefined> {
  for (const word of words) if (/^\d{1,15}$/.test(word)) yield Number(word);
  const lower = Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(plain, 'minimum'), ...numbersOf(plain, 'exclusiveMinimum'));
  const upper = Math.min(Number.POSITIVE_INFINITY, ...numbersOf(plain, 'maximum'), ...numbersOf(plain, 'exclusiveMaximum'));
  const step = commonMultiple(numbersOf(plain, 'multipleOf'));
  const first = Math.ceil((Number.isFinite(lower) ? lower : Math.min(0, upper)) / step);
  const last = Math.floor(Math.min(upper, Number.MAX_SAFE_INTEGER) / step);
  // 3 * 0.1 is 0.30000000000000004 in binary floating point.
  const multiple = (count: number) => Number((count * step).toPrecision(15));
  for (let index = 0; index < tries; index++) yield multiple(first + index);
  for (let index = 0; index < tries; index++) yield multiple(last - index);
  if (!Number.isFinite(lower) || !Number.isFinite(upper)) return;
  for (let part = 0; part <= tries; part++) yield lower + ((upper - lower) * part) / tries;
}

/** The numeric values of a keyword in a list of schemas. */
export function numbersOf(plain: readonly JsonObject[], keyword: string): number[] {
  return plain.map((schema) => schema[keyword]).filter((value) => typeof value === 'number');
}

function commonMultiple(steps: readonly number[]): number {
  return steps.reduce(
    (left, right) => (Number.isInteger(left / right) ? left : Number.isInteger(right / left) ? right : left * right),
    steps[0] ?? 1,
  );
}
