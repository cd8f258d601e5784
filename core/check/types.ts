import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { PlacedFinding } from '../finding.js';
import type { Clock, Environment, FileSystem, MaybePromise } from '../ports.js';
import type { Rule } from '../rules/rule.js';

export interface CheckProjectOptions {
  readonly files: FileSystem;
  /** The project as just read. Default: it is read now. */
  readonly index?: LoadedIndex | undefined;
  readonly variables: Environment;
  /** What a run of any agent may cost at most, in USD. Default: only its own budget counts. */
  readonly maxCost?: number | undefined;
  /** The day as of which models end, `2026-11-27`. Default: none, and no finding counts days. */
  readonly asOf?: string | undefined;
  /** Default: all. */
  readonly rules?: readonly Rule[] | undefined;
  /**
   * Project paths of files or folders whose findings are wanted; the empty string is the whole project. Default: all. Files that rules need for
   * these are read as well.
   */
  readonly paths?: readonly string[] | undefined;
  /** What `schema-changed-in-place` compares with. Default: nothing. */
  readonly base?: BaseFiles | undefined;
  /** Checks with the settings of this environment, which must have a file (see `onIndex`). Default: that of agentstack.json. */
  readonly environment?: string | undefined;
  /** Called once with the project's index, before any file is checked. What it throws ends the check. */
  readonly onIndex?: ((index: ProjectIndex) => void) | undefined;
  /** Called about twenty times a second, and once at the end. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Decides when to report progress and yield to the event loop: every 50 ms. Default: every 64 files. */
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
}

/** The project's files as they were at some earlier time. */
export interface BaseFiles {
  /** The text of the file at that time; undefined when it did not exist. */
  readText(path: string): MaybePromise<string | undefined>;
}

/** In files. */
export interface CheckProgress {
  readonly checked: number;
  readonly total: number;
}

export interface CheckReport {
  /** Sorted by file, place and code. */
  readonly findings: readonly PlacedFinding[];
  /** Files checked, including those that could not be read. */
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  /** Those of `paths` that name no config file and no folder with one. */
  readonly unmatched: readonly string[];
}
