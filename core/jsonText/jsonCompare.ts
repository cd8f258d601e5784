import type { Json, JsonObject } from '../json.js';

/** Called with the number of values or characters examined. May throw to stop the work. */
export type Spend = (units: number) => void;

const freely: Spend = () => undefined;

export function isScalar(value: Json): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null;
}

/** Equal as JSON: own fields only, in any order. Stops at the first difference. */
export function isEqual(left: Json, right: Json, spend = freely): boolean {
  spend(1);
  if (isScalar(left) || isScalar(right)) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  const [first, second] = [left as JsonObject, right as JsonObject];
  return names.every((name) => Object.hasOwn(second, name) && isEqual(first[name] as Json, second[name] as Json, spend));
}

/** Whether no two items are equal, in linear time: scalars are compared as they are, others as text with sorted keys. */
export function isUnique(items: readonly Json[], spend = freely): boolean {
  const scalars = new Set<Json>();
  const texts = new Set<string>();
  for (const item of items) {
    const seen = isScalar(item) ? scalars : texts;
    const key = isScalar(item) ? item : sortedText(item);
    spend(typeof key === 'string' ? 1 + key.length : 1);
    if (seen.has(key as never)) return false;
    seen.add(key as never);
  }
  return true;
}

function sortedText(value: Json): string {
  if (isScalar(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sortedText).join()}]`;
  const object = value as JsonObject;
  const fields = Object.keys(object)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${sortedText(object[name] as Json)}`);
  return `{${fields.join()}}`;
}

/** Whether a text has fewer than `limit` code points. Only a text of about that length has to be counted. */
export function isShorter(text: string, limit: number, spend = freely): boolean {
  if (text.length < limit) return true;
  if (text.length >= 2 * limit) return false;
  spend(text.length);
  let points = 0;
  for (const _point of text) points++;
  return points < limit;
}

/** Whether a number is a multiple of another (above 0), decided by their decimal digits: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: number, step: number, spend = freely): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) return value % step === 0;
  const [dividend, divisor] = [decimalOf(value), decimalOf(step)];
  if (dividend === undefined || divisor === undefined) return false;
  const exponent = Math.min(dividend.exponent, divisor.exponent);
  spend(dividend.exponent + divisor.exponent - 2 * exponent);
  return scaled(dividend, exponent) % scaled(divisor, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The shortest decimal for the number; undefined for Infinity. */
function decimalOf(value: number): Decimal | undefined {
  const [, digits, part = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(value)) ?? [];
  return digits === undefined ? undefined : { digits: BigInt(digits + part), exponent: Number(exponent) - part.length };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
