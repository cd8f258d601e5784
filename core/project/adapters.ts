import type { MaybePromise, Ports } from '../ports.js';
import type { RunKeeping } from '../run/durableRun.js';
import type { JournalFiles } from '../run/journal/journalFiles.js';
import type { RunRecording, TeamRunRecording } from '../run/readRecording.js';
import type { RecordWriter } from '../run/recording.js';
import type { HeldLock, RunLocks } from '../run/runLocks.js';
import type { LoadModule } from './ownTools.js';

// The adapters of a project beyond `Ports`, implemented for Node in `core/node`.

export interface ProjectAdapters {
  readonly ports: Ports;
  readonly keeping: RunKeeping;
  readonly records: RecordFiles;
  /** `never`: the module in agentstack.json is not loaded, and any name may be one of its tools. */
  readonly loadModule: LoadModule | 'never';
}

/** Records of runs, at any place. Paths are system paths, relative to the working directory. */
export interface RecordFiles {
  /** Creates or empties a file, and creates its folders. @throws StorageError */
  create(path: string): RecordWriter;
  /** @throws InputInvalidError if it is not a record, or cannot be read */
  read(path: string): RunRecording | TeamRunRecording;
}

export interface EvalAdapters {
  readonly storage: JournalFiles;
  /** Locks of evals. */
  readonly locks: RunLocks;
  readonly baselines: BaselineSources;
  /** A project path as `RecordFiles` take it. */
  systemPath(path: string): string;
}

/** Sources of baselines other than the project's files. */
export interface BaselineSources {
  /** The kind of a system path, relative to the working directory; undefined if it does not exist. */
  kindOf(path: string): 'file' | 'folder' | undefined;
  /** Undefined if it does not exist. @throws FileProblem */
  readText(path: string): MaybePromise<string | undefined>;
  /** The project's files as committed at a ref. @throws GitBaseError for an unknown commit */
  openCommit(ref: string): Promise<CommitFiles>;
}

/** The project's files as committed. Close it to end its process. */
export interface CommitFiles {
  /** The commit's full id. */
  readonly commit: string;
  /** The text of a file; undefined if it does not exist, is not a file or has more than 10 MB. @throws GitBaseError */
  readText(path: string): Promise<string | undefined>;
  close(): void;
}

/** Detects changes of config files. */
export interface ConfigChanges {
  /** A text that changes with agentstack.json and any file in the config folder. */
  fingerprint(configFolder: string): string;
  /** Calls `check` about once a second until the returned function is called. Does not keep the process alive. */
  poll(check: () => void): () => void;
}

/** The folders of all runs, or of all evals: one each. A link, or anything else that is not a real folder, counts as missing. */
export interface KeptFolders {
  /** The process that holds it, as far as known; undefined for none. Writes nothing. @throws FileProblem */
  holderOf(id: string): HeldLock | undefined;
  /** Time of the last write to it, in milliseconds since 1970. @throws FileProblem */
  lastWritten(id: string): number;
  /**
   * Deletes it with its content. It disappears in one step, so that an interrupted deletion leaves nothing half deleted.
   *
   * @returns the process that holds it, if any: then nothing is deleted
   * @throws FileProblem
   */
  delete(id: string): HeldLock | undefined;
  /** Removes the leftovers of interrupted deletions and writes. @throws FileProblem */
  tidy(): void;
}

export interface KeptJournals {
  /** Whether its process has ended: until then, it may begin another run in the journal. @throws FileProblem */
  isAbandoned(id: string): boolean;
  /** @throws FileProblem */
  delete(id: string): void;
}
