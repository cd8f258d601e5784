import type { ProjectIndex } from '../config/projectIndex.js';
import type { PlacedFinding } from '../finding.js';
import type { Clock } from '../ports.js';
import type { BaseFiles } from './baseFiles.js';
import { checkListed } from './checkListed.js';
import { checkShared } from './checkShared.js';
import type { ProjectCheckOptions } from './projectCheck.js';
import type { CheckHelper } from './sharedFolders.js';

export interface CheckProjectOptions extends ProjectCheckOptions {
  /** Project paths of files or folders whose findings are wanted; the empty string is the whole project. Default: all. Whatever rules need is read all the same. */
  readonly paths?: readonly string[] | undefined;
  /** What `schema-changed-in-place` compares with. Default: nothing. */
  readonly base?: BaseFiles | undefined;
  /** Checks what holds in this environment, which has a file (`onIndex` can see to it). Default: the one of the settings. */
  readonly environment?: string | undefined;
  /** Told once what there is, before any file is checked. What it throws ends the check. */
  readonly onIndex?: ((index: ProjectIndex) => void) | undefined;
  /** Called some twenty times a second, and once at the end. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Paces the turns of the event loop. Default: one every 32 files. */
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
  /** Starts another thread, where the project is large enough to be worth one. It has all rules. Default: everything is done here. */
  readonly startHelper?: (() => CheckHelper) | undefined;
}

/** How many agents or files have been checked. Agents are counted while they are checked folder by folder, when nobody knows how many files there are. */
export interface CheckProgress {
  readonly checked: number;
  readonly total: number;
  readonly of: 'agent' | 'file';
}

export interface CheckReport {
  /** Sorted by file, place and code. */
  readonly findings: readonly PlacedFinding[];
  /** Files checked, those that could not be read included. */
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  /** Those of `paths` that name no config file and no folder with one. */
  readonly unmatched: readonly string[];
}

export type { BaseFiles };

/**
 * Checks every config file of a project, or those under `paths`. Files are read, checked and forgotten one by one: memory holds the index
 * and what was found. What is wrong with a file, unreadable ones included, is a finding.
 *
 * @throws the signal's reason; an error naming rule and file when a rule throws
 */
export async function checkProject(options: CheckProjectOptions): Promise<CheckReport> {
  const { paths, base, environment, onIndex, startHelper, signal } = options;
  signal?.throwIfAborted();
  const isWhole = paths === undefined && base === undefined && environment === undefined && onIndex === undefined;
  if (startHelper === undefined || !isWhole) return checkListed(options);
  let helper: CheckHelper | undefined;
  try {
    return await checkShared(options, () => {
      helper = startHelper();
      return helper;
    });
  } finally {
    helper?.end();
  }
}
