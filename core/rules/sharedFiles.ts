import type { KnownFile } from '../config/memoryIndex.js';
import type { Reference } from '../config/projectIndex.js';
import type { PlacedFinding } from '../finding.js';

/** Files taken at a time: enough that taking them costs nothing, few enough that all threads end together. */
const filesAtATime = 16;

/** Agent files that several threads check together, each taking the next few until none is left. Plain data, so that it can be sent. */
export interface SharedFiles {
  /** Their project paths, one a line. */
  readonly paths: string;
  /** Those whose names differ from another's in letter case only: all that checking one agent needs to know of the others. */
  readonly twins: readonly string[];
  /** How many of the files have been taken: one number in shared memory. */
  readonly taken: Int32Array;
}

/** What one thread has found out. Plain data. */
export interface SharedPart {
  readonly findings: readonly PlacedFinding[];
  /** Files checked, those that could not be read included. */
  readonly count: number;
  /** Paths that were there when the folders were listed, and could not be read or understood, or are gone. */
  readonly unreadable: readonly string[];
  readonly gone: readonly string[];
  /** What the files refer to, each target once. */
  readonly references: readonly Reference[];
}

/** Another thread for files of the same project. It gets ready by itself. */
export interface CheckHelper {
  /** Rejects when a rule or the thread itself fails. */
  check(shared: SharedFiles): Promise<SharedPart>;
  /** Ends it, whatever it is doing. */
  end(): void;
}

/** @param files all agent files of the project */
export function shareFiles(files: readonly KnownFile[]): SharedFiles {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const paths = files.map(({ path }) => path);
  return { paths: paths.join('\n'), twins: twinsOf(paths), taken };
}

/** Paths of agent files are as alike as the names in them. */
function twinsOf(paths: readonly string[]): readonly string[] {
  const folded = paths.map((path) => path.toLowerCase());
  // Nearly every project has none at all.
  if (new Set(folded).size === paths.length) return [];
  const counts = new Map<string, number>();
  for (const path of folded) counts.set(path, (counts.get(path) ?? 0) + 1);
  return paths.filter((_, index) => counts.get(folded[index] as string) !== 1);
}

/** The positions of the next few of `length` files: from the first to before the last. Empty when all are taken. */
export function takeNext({ taken }: SharedFiles, length: number): readonly [first: number, end: number] {
  const first = Math.min(length, Atomics.add(taken, 0, filesAtATime));
  return [first, Math.min(length, first + filesAtATime)];
}
