import type { Kind } from '../config/kinds.js';
import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import type { KnownFile } from '../config/memoryIndex.js';
import { placeFindings } from '../config/placeFindings.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { PlacedFinding } from '../finding.js';
import type { Clock, MaybePromise } from '../ports.js';
import { type BaseFiles, readAhead } from './baseFiles.js';
import { type CheckHelper, type SharedFiles, type SharedPart, shareFiles, takeNext, takeOver } from './checkShare.js';
import { ProjectCheck, type ProjectCheckOptions } from './projectCheck.js';

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

/** Milliseconds between two turns of the event loop, where an abort can arrive and progress can be shown; and files between two looks at the time. */
const turn = { every: 50, files: 32 };

/**
 * Checks every config file of a project, or those under `paths`. Files are read, checked and forgotten one by one: memory holds the index
 * and what was found. What is wrong with a file, unreadable ones included, is a finding.
 *
 * @throws the signal's reason; an error naming rule and file when a rule throws
 */
export async function checkProject(options: CheckProjectOptions): Promise<CheckReport> {
  options.signal?.throwIfAborted();
  let helper: CheckHelper | undefined;
  const { environment, onIndex } = options;
  const mayShare = options.paths === undefined && options.base === undefined && environment === undefined;
  let sharing: Sharing | undefined;
  const onListed = (files: readonly KnownFile[], isAll: boolean) => {
    if (!mayShare || files.length < worthHelp) return;
    helper ??= options.startHelper?.();
    // The helper may begin at once, while the index is made here.
    if (isAll && helper !== undefined) sharing = share(files, helper);
  };
  try {
    const index = await loadProjectIndex(options.files, { onListed });
    onIndex?.(index);
    if (environment !== undefined) index.settings = { ...index.settings, environment };
    return await checkFiles(options, index, sharing);
  } finally {
    helper?.end();
  }
}

/** A project of so many files gains more from another thread than it costs to start one. */
const worthHelp = 1000;

async function checkFiles(options: CheckProjectOptions, index: LoadedIndex, sharing: Sharing | undefined): Promise<CheckReport> {
  const { paths, onProgress, signal } = options;
  const known = index.files();
  const isWanted = (path: string) => paths === undefined || paths.some((wanted) => covers(wanted, path));
  // Whether anything refers to an llm profile or a persona is known once every file has been read.
  const wantsUse = known.some(({ path, identity: { kind } }) => (kind === 'llm' || kind === 'persona') && isWanted(path));
  const toRead = wantsUse ? known : known.filter(({ path }) => isWanted(path));
  const agents = toRead.filter(({ identity }) => identity.kind === 'agent');
  const check = new ProjectCheck(options, index);
  const baseTexts =
    options.base &&
    readAhead(
      options.base,
      agents.flatMap(({ path }) => (isWanted(path) ? [path] : [])),
    );
  let done = 0;
  let lastTurn = options.clock?.monotonic() ?? 0;

  const haveTurn = async () => {
    onProgress?.({ checked: done, total: toRead.length });
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
  };
  const afterEach = (): MaybePromise<void> => {
    done += 1;
    if (done % turn.files !== 0 || (signal === undefined && onProgress === undefined)) return;
    const now = options.clock?.monotonic() ?? lastTurn + turn.every;
    if (now - lastTurn < turn.every) return;
    lastTurn = now;
    return haveTurn();
  };
  const take = ({ path, identity }: KnownFile): MaybePromise<void> => {
    const taking = check.take(path, identity, isWanted(path));
    return typeof taking === 'string' ? afterEach() : taking.then(afterEach);
  };
  const takeAll = async (files: Iterable<KnownFile>) => {
    for (const file of files) {
      if (baseTexts !== undefined) check.base = file.identity.kind === 'agent' && isWanted(file.path) ? await baseTexts() : undefined;
      const taking = take(file);
      if (taking !== undefined) await taking;
    }
  };

  if (sharing !== undefined) await takeShared(sharing, { takeAll, check, index });
  else await takeAll(agents);
  // What others refer to comes last, when who refers to it is known.
  await takeAll(toRead.filter((file) => file.identity.kind !== 'agent' && !isReferredTo(file)));
  await takeAll(toRead.filter(isReferredTo));
  takeUnlisted(index, check, isWanted);
  onProgress?.({ checked: toRead.length, total: toRead.length });
  const exists = (wanted: string) =>
    wanted === '' || known.some(({ path }) => covers(wanted, path)) || index.findings.some(({ file }) => covers(wanted, file));
  return { ...reportOf(check), unmatched: (paths ?? []).filter((wanted) => !exists(wanted)) };
}

interface Work {
  readonly takeAll: (files: Iterable<KnownFile>) => Promise<void>;
  readonly check: ProjectCheck;
  readonly index: LoadedIndex;
}

/** Agent files that a helper has begun to check. */
interface Sharing {
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

/** Checks agent files together with a helper. What it has taken is done here after all when it fails. */
async function takeShared({ agents, shared, part }: Sharing, { takeAll, check, index }: Work): Promise<void> {
  const theirs = new Set(agents);
  for (let [at, end] = takeNext(shared, agents.length); at < end; [at, end] = takeNext(shared, agents.length)) {
    const next = agents.slice(at, end);
    for (const file of next) theirs.delete(file);
    await takeAll(next);
  }
  const found = await part;
  // A rule that failed there fails here too, with words for it; a thread that could not be had is no reason to fail.
  if (found === undefined) await takeAll(theirs);
  else takeOver(found, theirs, check, index);
}

const referredTo: readonly Kind[] = ['llm', 'persona', 'prompt'];

function isReferredTo({ identity }: KnownFile): boolean {
  return referredTo.includes(identity.kind);
}

/** Folders that could not be listed, and links that leave the project: no files, so they are not counted. */
function takeUnlisted(index: LoadedIndex, check: ProjectCheck, isWanted: (path: string) => boolean): void {
  const listed = new Set(index.files().map(({ path }) => path));
  for (const finding of index.findings) {
    if (listed.has(finding.file) || !isWanted(finding.file)) continue;
    check.findings.push(...placeFindings('', [finding]));
  }
}

function reportOf({ findings, count }: ProjectCheck): Omit<CheckReport, 'unmatched'> {
  const countOf = (severity: PlacedFinding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return { findings: findings.sort(byPlace), files: count, errors: countOf('error'), warnings: countOf('warning') };
}

function covers(wanted: string, path: string): boolean {
  return wanted === '' || path === wanted || path.startsWith(`${wanted}/`);
}

function byPlace(left: PlacedFinding, right: PlacedFinding): number {
  return (
    compare(left.file, right.file) ||
    left.range.start - right.range.start ||
    left.range.end - right.range.end ||
    compare(left.code, right.code) ||
    compare(left.message, right.message)
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
