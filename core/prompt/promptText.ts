import type { Origin } from '../snapshot/effective.js';
import type { SourceSpan } from './types.js';

/**
 * A stretch of a message together with its source. Messages are made only of these: text and source map are both derived from
 * the same pieces, so they cannot disagree. `fixed`: the project's own text. `input`: `pointer` is into the payload. `config`: `pointer`
 * is into the effective config.
 */
export interface Piece {
  readonly text: string;
  readonly from: 'fixed' | 'input' | 'config';
  readonly pointer: string;
  /** The parts of a group: its text and its sources are theirs. */
  readonly parts?: readonly Piece[];
}

export function fixed(text: string): Piece {
  return { text, from: 'fixed', pointer: '' };
}

export function fromInput(text: string, pointer: string): Piece {
  return { text, from: 'input', pointer };
}

export function fromConfig(text: string, pointer: string): Piece {
  return { text, from: 'config', pointer };
}

/** Pieces that are used as one; their text is joined once. */
export function group(parts: readonly Piece[]): Piece {
  return { text: textOf(parts), from: 'fixed', pointer: '', parts };
}

const lineBreak = fixed('\n');
const emptyLine = fixed('\n\n');
const comma = fixed(', ');

/** Lines of one paragraph. */
export function joinLines(lines: readonly (readonly Piece[])[]): Piece[] {
  return join(lines, lineBreak);
}

/** Paragraphs with one empty line between them; those without text are left out. */
export function joinParagraphs(paragraphs: readonly (readonly Piece[])[]): Piece[] {
  return join(
    paragraphs.filter((paragraph) => paragraph.some(({ text }) => text !== '')),
    emptyLine,
  );
}

export function joinList(items: readonly Piece[]): Piece[] {
  return join(
    items.map((item) => [item]),
    comma,
  );
}

export function textOf(pieces: readonly Piece[]): string {
  let text = '';
  for (const piece of pieces) text += piece.text;
  return text;
}

/** The spans of one message: neighbours from the same source are one span. */
export function spansOf(message: number, pieces: readonly Piece[], originOf: (pointer: string) => Origin): SourceSpan[] {
  const spans: SourceSpan[] = [];
  let last: Piece | undefined;
  let start = 0;
  let end = 0;
  const close = () => {
    if (!last) return;
    const source = last.from === 'config' ? originOf(last.pointer) : { file: null, pointer: last.pointer, layer: last.from };
    spans.push({ message, start, end, file: source.file, pointer: source.pointer, layer: source.layer });
  };
  for (const piece of flatten(pieces)) {
    if (piece.text === '') continue;
    if (last === undefined || last.from !== piece.from || last.pointer !== piece.pointer) {
      close();
      last = piece;
      start = end;
    }
    end += piece.text.length;
  }
  close();
  return spans;
}

/**
 * Finds the origin of any place in the config, leaf or not: the place of an object is derived from that of its first leaf. A value
 * that no file gave is a built-in default; without `origins` it is the agent's, in no file.
 */
export function createOriginLookup(origins: ReadonlyMap<string, Origin> | undefined): (pointer: string) => Origin {
  if (!origins) return (pointer) => ({ file: null, pointer, layer: 'agent' });
  const inner = new Map<string, Origin>();
  for (const [leaf, origin] of origins) {
    for (let cut = leaf.lastIndexOf('/'); cut > 0; cut = leaf.lastIndexOf('/', cut - 1)) {
      const above = leaf.slice(0, cut);
      if (inner.has(above)) break;
      const below = leaf.slice(cut);
      const { file, pointer, layer } = origin;
      inner.set(above, { file, pointer: pointer.endsWith(below) ? pointer.slice(0, -below.length) : pointer, layer });
    }
  }
  return (pointer) => origins.get(pointer) ?? inner.get(pointer) ?? { file: null, pointer, layer: 'default' };
}

/** The pieces with the parts of each group in its place. */
export function* flatten(pieces: readonly Piece[]): Generator<Piece> {
  for (const piece of pieces) {
    if (piece.parts) yield* flatten(piece.parts);
    else yield piece;
  }
}

function join(parts: readonly (readonly Piece[])[], separator: Piece): Piece[] {
  const joined: Piece[] = [];
  for (const part of parts) {
    if (joined.length > 0) joined.push(separator);
    for (const piece of part) joined.push(piece);
  }
  return joined;
}
