import type { ConfigFile } from '../config/configFile.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { KnownFile, MemoryIndex } from '../config/memoryIndex.js';
import { identifyFile } from '../config/paths.js';
import type { Reference } from '../config/projectIndex.js';
import { collectReferences } from '../config/references.js';
import type { PlacedFinding } from '../finding.js';
import { ProjectCheck, type ProjectCheckOptions } from './projectCheck.js';

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

/** What a helper does: checks the files it gets hold of. It keeps no index of them, since memory is what a thread costs most. */
export async function checkPart(options: ProjectCheckOptions, shared: SharedFiles): Promise<SharedPart> {
  const paths = shared.paths.split('\n');
  const index = await loadProjectIndex(options.files, { agents: shared.twins });
  const gone: string[] = [];
  const unreadable: string[] = [];
  const references = new Map<string, Reference>();
  const remember = (file: ConfigFile) => {
    if (file.foreign) gone.push(file.path);
    else if (file.value === undefined) unreadable.push(file.path);
    else for (const reference of collectReferences(file)) references.set(`${reference.kind} ${reference.id}`, reference);
  };
  const check = new ProjectCheck(options, index, remember);
  for (let [at, end] = takeNext(shared, paths.length); at < end; [at, end] = takeNext(shared, paths.length)) {
    for (const path of paths.slice(at, end)) {
      const identity = identifyFile(path, index.settings);
      if (identity === undefined) throw new Error(`${path} is no agent file`);
      const taking = check.take(path, identity, true);
      const taken = typeof taking === 'string' ? taking : await taking;
      if (taken === 'gone') gone.push(path);
      if (taken === 'unreadable') unreadable.push(path);
    }
  }
  return { findings: check.findings, count: check.count, gone, unreadable, references: [...references.values()] };
}

/** Adds what a helper has found to what was found here, as if its files had been taken here. */
export function takeOver(part: SharedPart, files: Iterable<KnownFile>, check: ProjectCheck, index: MemoryIndex): void {
  for (const finding of part.findings) check.findings.push(finding);
  check.count += part.count;
  const gone = new Set(part.gone);
  const unreadable = new Set(part.unreadable);
  const references = new Map<string, Reference[]>();
  for (const reference of part.references) references.set(reference.file, [...(references.get(reference.file) ?? []), reference]);
  for (const { path, identity } of files) {
    if (gone.has(path)) index.remove(path);
    else if (unreadable.has(path)) index.setUnreadable(path, identity);
    else index.setReferences(path, identity, references.get(path) ?? []);
  }
}
