/**
 * The interfaces of core to the outside. The core never imports `node:*` or `vscode`; faces pass an implementation
 * (`core/node` has that for Node). Paths are project paths: relative to the project folder, separated
 * by `/`, never absolute and never with `..`.
 */

/** A value now or later: `await` works on both, so an adapter that reads synchronously costs no event-loop turn. */
export type MaybePromise<T> = T | Promise<T>;

export interface DirectoryEntry {
  readonly name: string;
  /** `outside`: a symbolic link whose target is not in the project; it is never followed. `other`: a socket, a device, a dangling link. */
  readonly kind: 'file' | 'directory' | 'outside' | 'other';
  /** A symbolic link; `kind` is that of its target. */
  readonly isLink?: true;
}

/** An opened file. */
export interface OpenedFile {
  readonly text: string;
  /** Its real path, with links resolved. */
  readonly path: string;
  /** Number of its names on the disk: more than one for a file with hard links. */
  readonly names: number;
}

export type FileProblemReason =
  | 'not-found'
  | 'is-directory'
  | 'no-permission'
  | 'too-large'
  | 'not-utf8'
  | 'outside-project'
  | 'exists'
  | 'disk-full'
  | 'io';

/** Why a file could not be read or written. The message names the path and the remedy; `reason` is stable. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
  readonly reason: FileProblemReason;
  readonly path: string;

  constructor(reason: FileProblemReason, path: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
    this.path = path;
  }
}

export interface WriteOptions {
  /** Fail with `exists` instead of replacing. Default false. */
  readonly exclusive?: boolean;
  /** Leave the file without write permission. Default false. */
  readonly readOnly?: boolean;
  /** Whether the written file survives a power cut, not only the end of the process. Default true, which waits for the disk. */
  readonly durable?: boolean;
}

/** The project folder. A path that leaves it, directly or through a symbolic link, is refused with `outside-project`. */
export interface FileSystem {
  /** The whole file as text, including a leading BOM. At most 10 MB. @throws FileProblem */
  readText(path: string): MaybePromise<string>;
  /** As `readText`, with the identity of the file. @throws FileProblem */
  readOpened(path: string): MaybePromise<OpenedFile>;
  /** The entries of a directory, sorted by name; empty if it does not exist. @throws FileProblem */
  list(directory: string): MaybePromise<readonly DirectoryEntry[]>;
  /**
   * Writes a whole file, and creates its folders: a temporary file, then a rename, so that no reader sees a part of it. Only an `exclusive` file that
   * is not `durable` is written directly, and the end of the process may leave a part of it. @throws FileProblem
   */
  writeText(path: string, text: string, options?: WriteOptions): MaybePromise<void>;
  /** Appends to a file, which is created with its folders if missing. @throws FileProblem */
  appendText(path: string, text: string): MaybePromise<void>;
  /** Removes a file, to undo `writeText`; one that does not exist is fine. Absent if that is not possible. @throws FileProblem */
  remove?(path: string): MaybePromise<void>;
  /**
   * Makes files that were written without `durable`, and their names, survive a power cut, without blocking other work. Absent if that is not
   * possible. @throws FileProblem
   */
  sync?(paths: readonly string[]): Promise<void>;
}

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds from an arbitrary start, never decreasing, with fractions. */
  monotonic(): number;
  /** @throws the signal's reason if aborted before `milliseconds` have passed. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `then` once, after `milliseconds`. The returned function cancels it. Costs a fraction of an aborted sleep. */
  after(milliseconds: number, then: () => void): () => void;
}

export interface Random {
  /** 0 <= x < 1. */
  next(): number;
  /** A fresh id: 32 lower-case hexadecimal digits, sortable by time of creation (UUIDv7 without dashes). */
  id(): string;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Logger {
  /** Whether lines of this level are written anywhere, to avoid preparing unused ones. Default: all are. */
  isWritten?(level: LogLevel): boolean;
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Looks up `secret://name`, only at the time of use. */
export interface Secrets {
  get(name: string): MaybePromise<string | undefined>;
}

/** All secrets that were looked up so far, so that none of them appears in events, results, records or logs. */
export interface KnownSecrets {
  /** Ignores a secret of less than 8 characters. */
  add(value: string): void;
  /** Whether a text may contain a secret, or the beginning of one that was cut; much cheaper than `cover`. */
  mayBeIn(text: string): boolean;
  /** The text with all secrets masked by `*`, in every usual written form, including one cut off at the end; of the same length. */
  cover(text: string): string;
  /** Where a possible beginning of a secret at the end of a text starts; the text's length without one. */
  beginsAt(text: string): number;
  /** Remembers that a value has no unmasked secret, until a further secret is added. The value must not change. */
  clean(value: object): void;
  isClean(value: object): boolean;
}

/** The environment variables for `${VAR}`. */
export interface Environment {
  get(name: string): string | undefined;
  /** Names of the variables that are set, for suggestions; never their values. Absent if they cannot be listed. */
  names?(): readonly string[];
}

export type Fetch = typeof globalThis.fetch;

/** A running program. */
export interface RunningProcess {
  /** Its output as it arrives; each ends when the program closes it. Read both, or the program blocks when a pipe is full. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Writes to its input. @throws if the program has closed it, or has ended */
  write(text: string): Promise<void>;
  /** How it ended: its exit code, or the signal that ended it; or why it could not be started. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly failure?: string }>;
  /**
   * Ends it and everything it started: closes its input, sends SIGTERM after `grace_ms` (default 2,000), and SIGKILL after the same time again.
   * Resolves when all of it has ended.
   */
  stop(grace_ms?: number): Promise<void>;
}

export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Project path of the folder it starts in; empty for the project folder. */
  readonly cwd: string;
}

/** Starts programs, in the project folder. They never outlive the process that started them. */
export interface Processes {
  /** Absolute path of the project folder, for `${workspaceFolder}`. Stored in no file. */
  readonly folder: string;
  start(options: ProcessOptions): RunningProcess;
  /** The variables that any program needs (PATH, HOME and the like), without secrets. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
}

export interface Ports {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly secrets: Secrets;
  /** Collects each secret when it is used. Absent: only secrets with a known shape are masked. */
  readonly knownSecrets?: KnownSecrets;
  readonly environment: Environment;
  readonly fetch: Fetch;
  /** Absent if no program can be started, as in a browser. */
  readonly processes?: Processes;
  /** SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hexadecimal digits. */
  readonly sha256: (text: string) => string;
}
