import type { RegisteredFor } from '../core/config/loadProjectIndex.js';
import type { Kind } from '../core/kinds.js';
import type { DirectoryEntry, Environment, FileSystem } from '../core/ports.js';

/** The last committed files of a project. */
export interface CommittedFiles {
  /** Texts by path, without files that did not exist or cannot be read. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  close(): void;
}

export interface HostOptions {
  /** The user trusts the files of the workspace, so that git may be run on them. */
  readonly trusted: boolean;
  /** The user has explicitly granted trust, so that the code of their tools may run. Default false. */
  readonly trustsCode?: boolean;
}

export type CreateHost = (options: HostOptions) => Promise<ServiceHost>;

/** What the language service needs from outside. Paths are absolute, with `/` between on every system. */
export interface ServiceHost {
  readonly environment: Environment;
  /** Resolves in the next turn of the event loop, after pending messages have arrived. */
  nextTurn(): Promise<void>;
  /** The files of a project folder. */
  openFiles(root: string): FileSystem;
  /**
   * The last committed files of a project folder; undefined in a folder without git, or if the user does not trust it.
   * `onMoved` is called when the last commit changes.
   */
  openCommitted(root: string, onMoved: () => void): CommittedFiles | undefined;
  /** The tools that the module named in the settings of a project registers, if the user trusts it. */
  readonly registeredIn: (root: string) => RegisteredFor;
  /** The entries of any folder; none when it cannot be listed. */
  listFolder(folder: string): readonly DirectoryEntry[];
  /** The project that a folder belongs to, on disk: see `core/node/findProject.ts`. */
  findProject(folder: string): string | undefined;
  /** The text of a file outside of every project; undefined when it cannot be read. */
  readText(path: string): string | undefined;
  /** Undefined for a URI that is not a file's. */
  toPath(uri: string): string | undefined;
  toUri(path: string): string;
  /** URI of the page that explains a rule; undefined when it is not shipped. */
  rulePage(code: string): string | undefined;
  /** URI of the page about the fields of a kind of file; undefined when it is not shipped. */
  fieldsPage(kind: Kind): string | undefined;
  /** The day in UTC, in ISO form. */
  today(): string;
  /** Hexadecimal, the same for the same text, different for every other. */
  sha256(text: string): string;
}
