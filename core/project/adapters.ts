import type { MaybePromise, Ports } from '../ports.js';
import type { RunKeeping } from '../run/durableRun.js';
import type { JournalFiles } from '../run/journal/journalFiles.js';
import type { RunRecording, TeamRunRecording } from '../run/readRecording.js';
import type { RecordWriter } from '../run/recording.js';
import type { HeldLock, RunLocks } from '../run/runLocks.js';
import type { LoadModule } from './ownTools.js';

// What a project needs from outside beyond `Ports`. `core/node` has it for Node.

export interface ProjectAdapters {
  readonly ports: Ports;
  readonly keeping: RunKeeping;
  readonly records: RecordFiles;
  /** `never`: the module that agentstack.json names is left alone, and any name may be one of its tools. */
  readonly loadModule: LoadModule | 'never';
}

/** Records of runs, wherever the user wants them. Paths are those of the system, from the working directory. */
export interface RecordFiles {
  /** A new or emptied file; the folders above it are made. @throws StorageError */
  create(path: string): RecordWriter;
  /** @throws InputInvalidError when it is not a record, or cannot be read */
  read(path: string): RunRecording | TeamRunRecording;
}

export interface EvalAdapters {
  readonly storage: JournalFiles;
  /** Locks of evals. */
  readonly locks: RunLocks;
  readonly baselines: BaselineSources;
}

/** Where baselines may come from beside the project's own files. */
export interface BaselineSources {
  /** Of a path of the system, from the working directory; undefined where nothing is there. */
  kindOf(path: string): 'file' | 'folder' | undefined;
  /** Undefined where nothing is there. @throws FileProblem */
  readText(path: string): MaybePromise<string | undefined>;
  /** The project's files as committed at a ref. @throws GitBaseError where git knows no such commit */
  openCommit(ref: string): Promise<CommitFiles>;
}

/** The project's files as committed. Close it, or a process stays. */
export interface CommitFiles {
  /** The commit's full id. */
  readonly commit: string;
  /** A file's text there; undefined when it was not there, was no file or had more than 10 MB. @throws GitBaseError */
  readText(path: string): Promise<string | undefined>;
  close(): void;
}

/** Notices changes of config files. */
export interface ConfigChanges {
  /** A text that differs after any change of agentstack.json or of what is below the config folder. */
  fingerprint(configFolder: string): string;
  /** Calls about once a second, until the result is called. Does not keep the process alive. */
  poll(look: () => void): () => void;
}

/** The folders of all runs, or of all evals: one for each. What has its name and is no folder of its own, a link for instance, counts as missing. */
export interface KeptFolders {
  /** The process that has it, as far as that can be seen; undefined for none. Writes nothing. @throws FileProblem */
  holderOf(id: string): HeldLock | undefined;
  /** When anything of it was last written, in milliseconds since 1970. @throws FileProblem */
  lastWritten(id: string): number;
  /**
   * Deletes it with all in it. It is out of sight in one step, so that a process that ends in the middle leaves no half of it.
   *
   * @returns the process that has it, where one has: then nothing is deleted
   * @throws FileProblem
   */
  delete(id: string): HeldLock | undefined;
  /** Removes what processes left that ended while they deleted or wrote files. @throws FileProblem */
  tidy(): void;
}

export interface KeptJournals {
  /** Whether the process that writes it is gone: while it is there, it may begin a run in it at any time. @throws FileProblem */
  isAbandoned(id: string): boolean;
  /** @throws FileProblem */
  delete(id: string): void;
}
