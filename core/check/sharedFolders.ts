import type { Reference } from '../config/projectIndex.js';
import type { Finding, PlacedFinding } from '../finding.js';

/** The folders of agents that several threads list and check together, each taking the next until none is left. Plain data, so that it can be sent. */
export interface SharedFolders {
  /** Their project paths, as one text: see `foldersOf`. */
  readonly paths: string;
  /** How many of the folders have been taken: one number in shared memory. */
  readonly taken: Int32Array;
}

/** What one thread has found out. Plain data. */
export interface SharedPart {
  readonly findings: readonly PlacedFinding[];
  /** Files checked, those that could not be read included. */
  readonly count: number;
  /** What was found in each folder: its project path and the names in it, with separators between them. */
  readonly listed: readonly string[];
  /** Project paths of those that turned out to be no files of the project, or not any more. */
  readonly gone: readonly string[];
  /** Those that could not be read or understood. */
  readonly unreadable: readonly string[];
  /** Those that have not been checked, since there are others with nearly the same name. */
  readonly twins: readonly string[];
  /** Those that have not been checked, since they name other agents. */
  readonly callers: readonly string[];
  /** What the files refer to, of each target the first reference. */
  readonly references: readonly Reference[];
  /** Folders that could not be listed. */
  readonly unlisted: readonly Finding[];
}

/** Another thread for files of the same project. It gets ready by itself. */
export interface CheckHelper {
  /** Rejects when a rule or the thread itself fails. */
  check(shared: SharedFolders): Promise<SharedPart>;
  /** Ends it, whatever it is doing. */
  end(): void;
}

export function shareFolders(paths: readonly string[]): SharedFolders {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  return { paths: paths.join(separator), taken };
}

export function foldersOf({ paths }: SharedFolders): readonly string[] {
  return paths.split(separator);
}

/** What no path has in it. */
export const separator = '\0';

/** The position of the next folder nobody has taken; behind the last when all are taken. */
export function takeNext({ taken }: SharedFolders): number {
  return Atomics.add(taken, 0, 1);
}

/** How many of `length` folders have been taken by anybody. */
export function takenOf({ taken }: SharedFolders, length: number): number {
  return Math.min(length, Atomics.load(taken, 0));
}
