/** 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Offsets of a text as lines and columns. CR, LF and CRLF each end a line; between CR and LF is the end of that line. */
export function positionsIn(text: string): (offset: number) => Position {
  let known = text.includes('\r') ? lineStarts(text) : undefined;
  let returns = 0;
  // The line that was found last. Most texts are asked about once or twice, for which their lines are counted up to there.
  const first = { line: 1, start: 0, end: known === undefined ? text.indexOf('\n') : -1 };
  let last = first;
  return (offset) => {
    if (known === undefined && offset < last.start) {
      returns += 1;
      if (returns > fewReturns) known = lineStarts(text);
      last = first;
    }
    if (known !== undefined) return positionAmong(known, offset);
    let { line, start, end } = last;
    for (; 0 <= end && end < offset; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    last = { line, start, end };
    return { line, column: offset - start + 1 };
  };
}

/** So often the lines may be counted from the first one again before it takes less to look for all of them once. */
const fewReturns = 4;

function positionAmong(starts: readonly number[], offset: number): Position {
  const index = lineIndexAt(starts, offset);
  return { line: index + 1, column: offset - (starts[index] as number) + 1 };
}

/** Which of the lines, counted from 0, an offset is in. */
export function lineIndexAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The offset at which each line begins; the first is 0. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) starts.push(at + 1);
  }
  return starts;
}
