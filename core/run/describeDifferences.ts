import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { shorten } from '../words.js';

/** Told at most; a request that is another one altogether differs everywhere. */
const mostDifferences = 10;

/**
 * What is not the same in two JSON values, in words: `/messages/1/content: "a" was recorded, now "b"`. Texts that differ only where one of
 * them has a covered secret are the same.
 */
export function describeDifferences(recorded: Json, now: Json): readonly string[] {
  const found: string[] = [];
  compare(recorded, now, '', found);
  return found;
}

function compare(recorded: Json | undefined, now: Json | undefined, pointer: string, found: string[]): void {
  if (found.length >= mostDifferences || recorded === now) return;
  if (typeof recorded === 'string' && typeof now === 'string') {
    if (!isSameCovered(recorded, now)) found.push(`${pointer || '/'}: ${textDifference(recorded, now)}`);
    return;
  }
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(recorded.length, now.length); index += 1)
      compare(recorded[index], now[index], pointer + pointerOf(index), found);
    return;
  }
  if (isObject(recorded) && isObject(now)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)]))
      compare(own(recorded, key), own(now, key), pointer + pointerOf(key), found);
    return;
  }
  found.push(`${pointer || '/'}: ${shown(recorded)} was recorded, now ${shown(now)}`);
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A secret is covered by as many `*` as it is long; one that was cut off may end its text after fewer. */
const coveredSecret = /\*{6,}|\*+(?=\s*$)/g;

function isSameCovered(left: string, right: string): boolean {
  if (left.length !== right.length || !(left.includes('*') || right.includes('*'))) return false;
  const maskedLeft = maskAlike(left, right);
  return maskedLeft === maskAlike(right, left);
}

/** The text with `*` wherever the other one has a covered secret. */
function maskAlike(text: string, other: string): string {
  let masked = text;
  for (const { index, 0: stars } of other.matchAll(coveredSecret))
    masked = masked.slice(0, index) + stars + masked.slice(index + stars.length);
  return masked;
}

const longestShown = 80;

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  return shorten(JSON.stringify(value), longestShown);
}

/** Long texts are shown where they begin to differ. */
function textDifference(recorded: string, now: string): string {
  let at = 0;
  while (at < recorded.length && recorded[at] === now[at]) at += 1;
  if (Math.max(recorded.length, now.length) <= longestShown) return `${shown(recorded)} was recorded, now ${shown(now)}`;
  const from = Math.max(0, at - 20);
  const around = (text: string) => {
    const part = text.slice(from, from + longestShown - 10).toWellFormed();
    return `${from > 0 ? '…' : ''}${JSON.stringify(part)}${from + part.length < text.length ? '…' : ''}`;
  };
  return `${around(recorded)} was recorded, now ${around(now)} (character ${at + 1})`;
}
