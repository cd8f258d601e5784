import { listProject } from '../config/listConfigFiles.js';
import type { KnownFile } from '../config/memoryIndex.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { PlacedFinding } from '../finding.js';
import type { Clock } from '../ports.js';
import type { BaseFiles } from './baseFiles.js';
import type { ProjectCheckOptions } from './projectCheck.js';
import { type CheckHelper, type SharedFiles, type SharedPart, shareFiles } from './sharedFiles.js';

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
  readonly onProgress?: ((progress: { readonly checked: number; readonly total: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Paces the turns of the event loop. Default: one every 32 files. */
  readonly clock?: Pick<Clock, 'monotonic'> | undefined;
  /** Starts another thread, where the project is large enough to be worth one. It has all rules. Default: everything is done here. */
  readonly startHelper?: (() => CheckHelper) | undefined;
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
  options.signal?.throwIfAborted();
  let helper: CheckHelper | undefined;
  const mayShare = options.paths === undefined && options.base === undefined && options.environment === undefined;
  const onListed = (count: number) => {
    if (mayShare && count >= worthHelp) helper ??= options.startHelper?.();
  };
  try {
    const listing = await listProject(options.files, { onListed });
    // The helper may begin while the rules are loaded here.
    const sharing = helper && share(listing.files, helper);
    const { checkListed } = await import('./checkListed.js');
    return await checkListed(options, listing, sharing);
  } finally {
    helper?.end();
  }
}

/** A project of so many files gains more from another thread than it costs to start one. */
const worthHelp = 1000;

/** Agent files that a helper has begun to check. */
export interface Sharing {
  readonly agents: readonly KnownFile[];
  readonly shared: SharedFiles;
  /** Undefined when the helper has failed. */
  readonly part: Promise<SharedPart | undefined>;
}

function share(files: readonly KnownFile[], helper: CheckHelper): Sharing | undefined {
  const agents = files.filter(({ identity }) => identity.kind === 'agent');
  if (agents.length < worthHelp) return undefined;
  const shared = shareFiles(agents);
  return { agents, shared, part: helper.check(shared).catch(() => undefined) };
}
