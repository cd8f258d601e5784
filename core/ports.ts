/**
 * Everything the core needs from outside, as interfaces. The core never imports `node:*` or `vscode`; faces pass an
 * implementation (`core/node` has the one for Node). Paths are project paths: relative to the project folder, separated
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

/** A file as it was opened. */
export interface OpenedFile {
  readonly text: string;
  /** Where it is, links followed: of a link, the path of its target. */
  readonly path: string;
  /** How many names it has on its disk: more than one for a file with hard links. */
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

/** Why a file could not be read or written. The message names the path and the way out; `reason` is stable. */
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
  /** Whether the file survives a power cut once it is written; the end of the process it survives anyway. Default true, which takes the disk's time. */
  readonly durable?: boolean;
}

/** The project folder. A path that leaves it, directly or through a symbolic link, is refused with `outside-project`. */
export interface FileSystem {
  /** The whole file as text, a leading BOM kept. At most 10 MB. @throws FileProblem */
  readText(path: string): MaybePromise<string>;
  /** As `readText`, with which file it was. @throws FileProblem */
  readOpened(path: string): MaybePromise<OpenedFile>;
  /** The entries of a directory, sorted by name; empty when it does not exist. @throws FileProblem */
  list(directory: string): MaybePromise<readonly DirectoryEntry[]>;
  /**
   * Writes a whole file and the folders above it: a temporary file, then a rename, so that no reader sees a part of it. Only one that is `exclusive` and
   * not `durable` is made in its place, and the end of the process may leave a part of it. @throws FileProblem
   */
  writeText(path: string, text: string, options?: WriteOptions): MaybePromise<void>;
  /** Appends to a file, created with the folders above it when missing. @throws FileProblem */
  appendText(path: string, text: string): MaybePromise<void>;
  /**
   * Makes files that were written without `durable`, and their names, survive a power cut; other work goes on meanwhile. Absent where nothing can be
   * done for that. @throws FileProblem
   */
  sync?(paths: readonly string[]): Promise<void>;
}

export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds from an arbitrary start, never going back, with fractions. */
  monotonic(): number;
  /** @throws the signal's reason when aborted before `milliseconds` have passed. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls `then` once, after `milliseconds`. The result takes that back; it does nothing afterwards. Costs a fraction of a sleep that is aborted. */
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
  /** Whether lines of this level are written anywhere, so that none need be made ready for nothing. Default: all are. */
  isWritten?(level: LogLevel): boolean;
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Where `secret://name` is looked up, at the moment of use only. */
export interface Secrets {
  get(name: string): MaybePromise<string | undefined>;
}

/** Every secret that was looked up so far, so that none of them appears in events, results, records or logs. */
export interface KnownSecrets {
  /** One that is shorter than 8 characters is no secret worth the name, and is left alone. */
  add(value: string): void;
  /** Whether a text holds one, or so much of the beginning of one that a cut may have left it; much cheaper than `cover`. */
  mayBeIn(text: string): boolean;
  /** The text with all of them covered by `*`, in every form in which they are usually written, also one that is cut off at its end; of the same length. */
  cover(text: string): string;
  /** Where a text ends in what may be the beginning of one; its length where it does not. */
  beginsAt(text: string): number;
  /** Remembers that nothing in a value has to be covered any more, until a further secret is added. It must not change. */
  clean(value: object): void;
  isClean(value: object): boolean;
}

/** The environment variables `${VAR}` may name. */
export interface Environment {
  get(name: string): string | undefined;
  /** Names of the variables that are set, for suggestions; never their values. Absent where they cannot be listed. */
  names?(): readonly string[];
}

export type Fetch = typeof globalThis.fetch;

/** A program that is running. */
export interface RunningProcess {
  /** What it prints, as it comes; each ends when the program closes it. Read both, or it stops when a pipe is full. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  /** Writes to its input. @throws when it has closed it, or has ended */
  write(text: string): Promise<void>;
  /** How it ended: its exit code, or the signal that ended it; and why, when it could not be started at all. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly failure?: string }>;
  /**
   * Ends it and everything it started: closes its input, asks politely after `grace_ms` (default 2,000), and for good after as long again. Done
   * when nothing of it is left.
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
  /** Absolute path of the project folder, for what programs are told: `${workspaceFolder}`. Kept in no file. */
  readonly folder: string;
  start(options: ProcessOptions): RunningProcess;
  /** What a program needs of the environment to run at all (PATH, HOME and their like), nothing secret. */
  readonly baseEnvironment: Readonly<Record<string, string>>;
}

export interface Ports {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly secrets: Secrets;
  /** Told of each secret as it is used. Absent: only what shows itself by its shape is covered. */
  readonly knownSecrets?: KnownSecrets;
  readonly environment: Environment;
  readonly fetch: Fetch;
  /** Absent where no program can be started, as in a browser. */
  readonly processes?: Processes;
  /** SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hexadecimal digits. */
  readonly sha256: (text: string) => string;
}
