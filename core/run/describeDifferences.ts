import { isObject, type Json, pointerOf } from '../json.js';
import { shorten } from '../words.js';
import { ownAt } from './untrusted.js';

/** More are not listed: an unrelated request differs everywhere. */
const mostDifferences = 10;

/**
 * The differences of two JSON values in words: `/messages/1/content: "a" was recorded, now "b"`. Texts that differ only where one of
 * them has a masked secret are equal.
 */
export function describeDifferences(recorded: Json, now: Json): readonly string[] {
  const differences: string[] = [];
  compare(recorded, now, '', differences);
  return differences;
}

function compare(recorded: Json | undefined, now: Json | undefined, pointer: string, differences: string[]): void {
  if (differences.length >= mostDifferences || recorded === now) return;
  if (typeof recorded === 'string' && typeof now === 'string') {
    if (!isSameCovered(recorded, now)) differences.push(`${pointer || '/'}: ${textDifference(recorded, now)}`);
    return;
  }
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(recorded.length, now.length); index += 1)
      compare(recorded[index], now[index], pointer + pointerOf(index), differences);
    return;
  }
  if (isObject(recorded) && isObject(now)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)]))
      compare(ownAt(recorded, key), ownAt(now, key), pointer + pointerOf(key), differences);
    return;
  }
  differences.push(`${pointer || '/'}: ${preview(recorded)} was recorded, now ${preview(now)}`);
}

/** A secret is masked by as many `*` as it is long; a truncated one may end its text after fewer. */
const coveredSecret = /\*{6,}|\*+(?=\s*$)/g;

function isSameCovered(left: string, right: string): boolean {
  if (left.length !== right.length || !(left.includes('*') || right.includes('*'))) return false;
  const maskedLeft = maskAlike(left, right);
  return maskedLeft === maskAlike(right, left);
}

/** The text with `*` wherever the other one has a masked secret. */
function maskAlike(text: string, other: string): string {
  let masked = text;
  for (const { index, 0: stars } of other.matchAll(coveredSecret))
    masked = masked.slice(0, index) + stars + masked.slice(index + stars.length);
  return masked;
}

const longestPreview = 80;

function preview(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  return shorten(JSON.stringify(value), longestPreview);
}

/** Long texts are quoted around their first difference. */
function textDifference(recorded: string, now: string): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === now[at]) at += 1;
  if (Math.max(recorded.length, now.length) <= longestPreview) return `${preview(recorded)} was recorded, now ${preview(now)}`;
  const from = Math.max(0, at - 20);
  const around = (text: string) => {
    const part = text.slice(from, from + longestPreview - 10).toWellFormed();
    return `${from > 0 ? '…' : ''}${JSON.stringify(part)}${from + part.length < text.length ? '…' : ''}`;
  };
  return `${around(recorded)} was recorded, now ${around(now)} (character ${at + 1})`;
}
