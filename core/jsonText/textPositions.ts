/** 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Offsets of a text as lines and columns. CR, LF and CRLF each end a line; between CR and LF is the end of that line. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = lineStarts(text);
  return (offset) => {
    const index = lineIndexAt(starts, offset);
    return { line: index + 1, column: offset - (starts[index] as number) + 1 };
  };
}

/** The index of the line an offset is in. */
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
  for (let at = 0; at < text.length; at++) {
    const unit = text[at];
    if (unit === '\n' || (unit === '\r' && text[at + 1] !== '\n')) starts.push(at + 1);
  }
  return starts;
}
