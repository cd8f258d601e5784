import type { Kind } from '../config/kinds.js';
import type { Listing } from '../config/listConfigFiles.js';
import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import type { KnownFile } from '../config/memoryIndex.js';
import { placeFindings } from '../config/placeFindings.js';
import type { PlacedFinding } from '../finding.js';
import type { MaybePromise } from '../ports.js';
import { readAhead } from './baseFiles.js';
import type { CheckProjectOptions, CheckReport, Sharing } from './checkProject.js';
import { takeOver } from './checkShare.js';
import { ProjectCheck } from './projectCheck.js';
import { takeNext } from './sharedFiles.js';

/** Milliseconds between two turns of the event loop, where an abort can arrive and progress can be shown; and files between two looks at the time. */
const turn = { every: 50, files: 32 };

/**
 * Checks what a listing has found.
 *
 * @param sharing agent files that a helper checks as well
 * @throws the signal's reason; an error naming rule and file when a rule throws
 */
export async function checkListed(options: CheckProjectOptions, listing: Listing, sharing?: Sharing): Promise<CheckReport> {
  const index = await loadProjectIndex(options.files, { listing });
  options.onIndex?.(index);
  const { environment } = options;
  if (environment !== undefined) index.settings = { ...index.settings, environment };
  return checkFiles(options, index, sharing);
}

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
