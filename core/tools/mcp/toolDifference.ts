import { type ListedTool, toolText } from './lock.js';

/** A line of a difference: what is pinned (`-`), what was listed last (`+`), or both. */
export interface DifferenceLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** Beyond this many pairs of lines nothing is aligned: the whole of one stands before the whole of the other. */
const mostPairs = 4_000_000;

/** How a tool has changed, line by line; `after` is null for one that is listed no more. */
export function toolDifference(
  before: Pick<ListedTool, 'description' | 'parameters'>,
  after: Pick<ListedTool, 'description' | 'parameters'> | null,
): readonly DifferenceLine[] {
  const old = linesOf(before);
  const now = after === null ? [] : linesOf(after);
  if (old.length * now.length > mostPairs) return [...old.map(signed('-')), ...now.map(signed('+'))];
  const common = commonLengths(old, now);
  const lines: DifferenceLine[] = [];
  let [left, right] = [0, 0];
  while (left < old.length || right < now.length) {
    const [here, there] = [old[left], now[right]];
    if (here !== undefined && here === there) {
      lines.push({ sign: ' ', text: here });
      left += 1;
      right += 1;
    } else if (here !== undefined && (there === undefined || at(common, left + 1, right) >= at(common, left, right + 1))) {
      lines.push({ sign: '-', text: here });
      left += 1;
    } else {
      lines.push({ sign: '+', text: there ?? '' });
      right += 1;
    }
  }
  return lines;
}

/** By position in both, how many lines their rests have in common at most. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let left = old.length - 1; left >= 0; left -= 1) {
    for (let right = now.length - 1; right >= 0; right -= 1) {
      const row = table[left] as Uint32Array;
      row[right] =
        old[left] === now[right] ? at(table, left + 1, right + 1) + 1 : Math.max(at(table, left + 1, right), at(table, left, right + 1));
    }
  }
  return table;
}

function at(table: readonly Uint32Array[], left: number, right: number): number {
  return table[left]?.[right] ?? 0;
}

/** A description has lines of its own, which its JSON would hide. */
function linesOf({ description, parameters }: Pick<ListedTool, 'description' | 'parameters'>): readonly string[] {
  const [, ...rest] = toolText({ description: '', parameters }).trimEnd().split('\n').slice(1, -1);
  return [...description.split('\n'), ...rest.map((line) => line.slice(2))];
}

function signed(sign: '-' | '+') {
  return (text: string): DifferenceLine => ({ sign, text });
}
