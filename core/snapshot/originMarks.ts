import { escapeSegment } from '../json.js';
import type { Origin } from './effective.js';
import type { EffectiveLine, EffectiveRequest } from './effectiveView.js';

/** An object or list in the text. */
interface Block {
  /** Index of its first line. */
  readonly line: number;
  readonly depth: number;
  readonly blocks: Block[];
  /** The lines of the values directly in it. */
  readonly leaves: number[];
  /** How many values in it come from each place, including those in nested lists and objects. */
  readonly places: Map<string, { readonly origin: Origin; count: number }>;
}

/**
 * The origin shown at each line of an effective config: where it comes from, if that differs from its surroundings. So lines of the file itself have
 * no mark. An agent or profile of another file has one at its first line, as does an object that comes entirely from one file.
 */
export function originMarks(lines: readonly EffectiveLine[], request: EffectiveRequest): readonly (Origin | null)[] {
  const marks: (Origin | null)[] = lines.map(() => null);
  const markBlock = ({ line, depth, blocks, leaves, places }: Block, around: Origin | undefined): void => {
    const home = homeOf(depth, places) ?? around;
    if (home !== undefined && line >= 0 && !isSame(home, around)) marks[line] = home;
    for (const leaf of leaves) {
      const origin = lines[leaf]?.origin ?? null;
      // The snapshot's own members come from no layer.
      const isOfItself = depth === 0 && origin?.file === null;
      if (origin !== null && !isOfItself && !isSame(origin, home)) marks[leaf] = origin;
    }
    for (const block of blocks) markBlock(block, home);
  };
  for (const block of readBlocks(lines)) markBlock(block, ownOrigin(request));
  return marks;
}

function readBlocks(lines: readonly EffectiveLine[]): readonly Block[] {
  const roots: Block[] = [];
  const open: Block[] = [];
  for (const [line, { text, origin }] of lines.entries()) {
    if (/[{[]$/.test(text)) {
      const block: Block = { line, depth: open.length, blocks: [], leaves: [], places: new Map() };
      (open.at(-1)?.blocks ?? roots).push(block);
      open.push(block);
    } else if (/^ *[}\]],?$/.test(text)) open.pop();
    else if (origin !== null) {
      open.at(-1)?.leaves.push(line);
      for (const { places } of open) {
        const key = `${origin.layer} ${origin.file}`;
        places.set(key, { origin, count: (places.get(key)?.count ?? 0) + 1 });
      }
    }
  }
  return roots;
}

/** The origin of a block: for an agent or a profile the file that gives most of it, for anything inside one the place that gives all of it. */
function homeOf(depth: number, places: Block['places']): Origin | undefined {
  if (depth < 2) return undefined;
  const origins = [...places.values()];
  if (depth > 2) return origins.length === 1 ? origins[0]?.origin : undefined;
  const inFiles = origins.filter(({ origin }) => origin.file !== null).sort((left, right) => right.count - left.count);
  return inFiles[0]?.origin;
}

function isSame(origin: Origin, other: Origin | undefined): boolean {
  return origin.file === other?.file && origin.layer === other?.layer;
}

/** An origin in the file that the config belongs to. */
function ownOrigin({ value, origins }: EffectiveRequest): Origin | undefined {
  const { kind, name } = value;
  const start = kind === 'orchestration' ? '/orchestration/' : `/agents/${escapeSegment(String(name))}/`;
  return [...origins].find(([pointer, { layer }]) => layer === kind && pointer.startsWith(start))?.[1];
}
