/**
 * How well a name matches the typed text, higher is better; undefined when the typed letters do not occur in this order. The whole name
 * ranks highest, then its beginning, the beginnings of its words, adjacent letters. Letter case breaks ties.
 */
export function matchName(typed: string, name: string): number | undefined {
  if (typed === '') return 0;
  const lowerTyped = typed.toLowerCase();
  const lower = name.toLowerCase();
  if (lower === lowerTyped) return name === typed ? 10_001 : 10_000;
  const whole = lower.indexOf(lowerTyped);
  // Longer names match less well.
  const excess = Math.min(400, name.length - typed.length);
  if (whole === 0) return 8_000 - excess;
  if (whole > 0) return (isWordStart(name, whole) ? 7_000 : 5_000) - excess;
  const inWords = subsequence(lowerTyped, lower, (at) => isWordStart(name, at));
  if (inWords !== undefined) return 4_000 - excess;
  const spread = subsequence(lowerTyped, lower, () => true);
  return spread === undefined ? undefined : 2_000 - excess - Math.min(1_000, spread);
}

/** The number of skipped letters. Each letter is matched right after the one before, or at the first allowed place. */
function subsequence(letters: string, text: string, mayBegin: (at: number) => boolean): number | undefined {
  let at = 0;
  let first = -1;
  let last = -1;
  for (const letter of letters) {
    let index = text.startsWith(letter, at) && last >= 0 ? at : text.indexOf(letter, at);
    while (index >= 0 && index !== last + 1 && !mayBegin(index)) index = text.indexOf(letter, index + 1);
    if (index < 0) return undefined;
    if (first < 0) first = index;
    last = index;
    at = index + letter.length;
  }
  return last - first + 1 - letters.length;
}

function isWordStart(name: string, at: number): boolean {
  if (at === 0) return true;
  const before = name[at - 1] ?? '';
  const letter = name[at] ?? '';
  if (!/[\p{L}\p{N}]/u.test(before)) return true;
  return (/\p{Lu}/u.test(letter) && !/\p{Lu}/u.test(before)) || (/\d/.test(letter) && !/\d/.test(before));
}
