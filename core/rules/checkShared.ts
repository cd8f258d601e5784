import { listAgentFolders } from '../config/listConfigFiles.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { KnownFile } from '../config/memoryIndex.js';
import { identifyFile } from '../config/paths.js';
import type { Finding } from '../finding.js';
import type { CheckProjectOptions, CheckReport } from './checkProject.js';
import { PartCheck, takeOver } from './checkShare.js';
import { ProjectCheck } from './projectCheck.js';
import { inOrder, reportOf } from './projectReport.js';
import { type CheckHelper, type SharedFolders, type SharedPart, shareFolders, takeNext, takenOf } from './sharedFolders.js';
import { createTurns } from './turns.js';

/** A project of so many agent files gains more from another thread than it costs to start one; and how many have to be seen to guess at all. */
const worthHelp = { files: 1000, seen: 100 };

/**
 * Checks a whole project: agents folder by folder, together with another thread where there are many, and then what takes knowing all of them.
 *
 * @throws the signal's reason; an error naming rule and file when a rule throws
 */
export async function checkShared(options: CheckProjectOptions, startHelper: () => CheckHelper): Promise<CheckReport> {
  const index = await loadProjectIndex(options.files, { agents: [] });
  const { others } = inOrder(index.files());
  const unlisted: Finding[] = [];
  const folders = splitTwins(await listAgentFolders(options.files, index.settings, (finding) => unlisted.push(finding)));
  const parts = await takeAgents(options, new PartCheck(options, index), folders, startHelper);
  takeOver(parts, index);
  unlisted.push(...parts.flatMap((part) => part.unlisted));
  if (unlisted.length > 0) index.setUnlisted();

  const check = new ProjectCheck(options, index);
  const left = parts.flatMap(({ later }) => later).map((path) => ({ path, identity: identifyFile(path, index.settings) }) as KnownFile);
  const haveTurn = createTurns(options, () => ({ checked: check.count, total: left.length + others.length, of: 'file' }));
  for (const { path, identity } of [...left, ...others]) {
    const taking = check.take(path, identity, true);
    if (typeof taking !== 'string') await taking;
    const turn = haveTurn();
    if (turn !== undefined) await turn;
  }
  unlisted.push(...index.findings.filter(({ file }) => index.identityOf(file) === undefined));
  const report = reportOf([...parts, check], { unlisted, unmatched: [] });
  options.onProgress?.({ checked: report.files, total: report.files, of: 'file' });
  return report;
}

interface Folders {
  /** Those that differ from all others in more than letter case. */
  readonly alone: readonly string[];
  readonly alike: readonly string[];
}

function splitTwins(paths: readonly string[]): Folders {
  const folded = paths.map((path) => path.toLowerCase());
  // Nearly every project has none at all.
  if (new Set(folded).size === paths.length) return { alone: paths, alike: [] };
  const counts = new Map<string, number>();
  for (const path of folded) counts.set(path, (counts.get(path) ?? 0) + 1);
  const isAlone = (_: string, at: number) => counts.get(folded[at] as string) === 1;
  return { alone: paths.filter(isAlone), alike: paths.filter((path, at) => !isAlone(path, at)) };
}

/** What was found here, and by a helper if one was worth it. */
async function takeAgents(
  options: CheckProjectOptions,
  mine: PartCheck,
  { alone, alike }: Folders,
  startHelper: () => CheckHelper,
): Promise<readonly SharedPart[]> {
  const shared: SharedFolders = shareFolders(alone);
  let theirs: Promise<SharedPart | undefined> | undefined;
  const getHelp = () => {
    theirs ??= startHelper()
      .check(shared)
      .catch(() => undefined);
  };
  if (alone.length >= worthHelp.files) getHelp();
  const haveTurn = createTurns(options, () => ({ checked: takenOf(shared, alone.length), total: alone.length, of: 'agent' }));
  const take = async (folder: string, hasTwin = false) => {
    const taking = mine.take(folder, { hasTwin });
    if (taking !== undefined) await taking;
    const turn = haveTurn();
    if (turn !== undefined) await turn;
  };
  const own = new Set<number>();
  for (let at = takeNext(shared); at < alone.length; at = takeNext(shared)) {
    own.add(at);
    await take(alone[at] as string);
    if (mine.found >= worthHelp.seen && (mine.found / own.size) * alone.length >= worthHelp.files) getHelp();
  }
  for (const folder of alike) await take(folder, true);
  const found = await theirs;
  // A rule that failed there fails here too, with words for it; a thread that could not be had is no reason to fail.
  if (theirs !== undefined && found === undefined) {
    for (const [at, folder] of alone.entries()) if (!own.has(at)) await take(folder);
  }
  return found === undefined ? [mine.result()] : [mine.result(), found];
}
