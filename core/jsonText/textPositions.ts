/** 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Offsets of a text as lines and columns. CR, LF and CRLF each end a line; an offset between CR and LF is at the end of that line. */
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
  let feed = text.indexOf('\n');
  let carriage = text.indexOf('\r');
  while (feed >= 0 || carriage >= 0) {
    if (carriage >= 0 && (feed < 0 || carriage < feed)) {
      if (carriage + 1 !== feed) starts.push(carriage + 1);
      carriage = text.indexOf('\r', carriage + 1);
    } else {
      starts.push(feed + 1);
      feed = text.indexOf('\n', feed + 1);
    }
  }
  return starts;
}
