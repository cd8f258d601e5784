import type { TextReplacement } from '../../core/jsonText/jsonEdit.js';

/** Turns one text into another by the shortest single replacement; none for equal texts. Never between the halves of a character or of a CRLF. */
export function trimmedReplacement(before: string, after: string): readonly TextReplacement[] {
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  while (start > 0 && isSplit(before, start)) start -= 1;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  while (tail > 0 && (isSplit(before, before.length - tail) || isSplit(after, after.length - tail))) tail -= 1;
  return [{ start, end: before.length - tail, text: after.slice(start, after.length - tail) }];
}

function isSplit(text: string, at: number): boolean {
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return (0xd800 <= left && left <= 0xdbff) || (left === 0x0d && right === 0x0a);
}
