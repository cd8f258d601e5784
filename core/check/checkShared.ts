import { listAgentFolders } from '../config/listConfigFiles.js';
import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import { identifyFile } from '../config/paths.js';
import type { Finding } from '../finding.js';
import type { CheckProjectOptions, CheckReport } from './checkProject.js';
import { PartCheck, takeOver } from './checkShare.js';
import { ProjectCheck } from './projectCheck.js';
import { compare, inOrder, reportOf } from './projectReport.js';
import { namesAgents } from './readAgentsOf.js';
import { type CheckHelper, type SharedPart, shareFolders, takeNext, takenOf } from './sharedFolders.js';
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
  const hidden: Finding[] = [];
  const folders = splitTwins(await listAgentFolders(options.files, index.settings, (finding) => hidden.push(finding)));
  const parts = await takeAgents(options, index, folders, startHelper);
  takeOver(parts, index);
  const ofAgents = [...hidden, ...parts.flatMap((part) => part.unlisted)];
  if (ofAgents.length > 0) index.setUnlisted();

  const twins = inListingOrder(parts.flatMap((part) => part.twins));
  const callers = parts.flatMap((part) => part.callers);
  // Who names agents is told which there are, and that is known when all agents have been read.
  const alone = new ProjectCheck(options, index, { isForLater: namesAgents });
  const together = new ProjectCheck(options, index);
  const total = twins.length + callers.length + others.length;
  const haveTurn = createTurns(options, () => ({ checked: alone.count + together.count, total, of: 'file' }));
  const take = async (check: ProjectCheck, path: string, identity = identifyFile(path, index.settings)) => {
    const taken = identity && (await check.take(path, identity, true));
    await haveTurn();
    return taken;
  };
  for (const path of twins) if ((await take(alone, path)) === 'later') callers.push(path);
  for (const path of callers) await take(together, path);
  for (const { path, identity } of others) await take(together, path, identity);
  const unlisted = index.findings.filter(({ file }) => index.identityOf(file) === undefined);
  const report = reportOf([...parts, alone, together], { unlisted: [...ofAgents, ...unlisted], unmatched: [] });
  options.onProgress?.({ checked: report.files, total: report.files, of: 'file' });
  return report;
}

/** As folders list them: by folder, then by name. */
function inListingOrder(paths: readonly string[]): readonly string[] {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
  return paths.toSorted((left, right) => compare(folderOf(left), folderOf(right)) || compare(left, right));
}

interface Folders {
  /** Those that differ from all others in more than letter case. */
  readonly alone: readonly string[];
  readonly alike: readonly string[];
}

function splitTwins(paths: readonly string[]): Folders {
  const folded = paths.map((path) => path.toLowerCase());
  const hasMark = (path: string) => path.includes('@');
  // Nearly every project has none at all.
  if (new Set(folded).size === paths.length && !paths.some(hasMark)) return { alone: paths, alike: [] };
  const counts = new Map<string, number>();
  for (const path of folded) counts.set(path, (counts.get(path) ?? 0) + 1);
  // With an `@` in it, a folder may hold twins of a version in another: `A/v1@v2` and `a@v1/v2`.
  const isAlone = (path: string, at: number) => counts.get(folded[at] as string) === 1 && !hasMark(path);
  return { alone: paths.filter(isAlone), alike: paths.filter((path, at) => !isAlone(path, at)) };
}

/** What was found here, and by a helper if one was worth it. */
async function takeAgents(
  options: CheckProjectOptions,
  index: LoadedIndex,
  { alone, alike }: Folders,
  startHelper: () => CheckHelper,
): Promise<readonly SharedPart[]> {
  const shared = shareFolders(alone);
  let theirs: Promise<SharedPart | undefined> | undefined;
  const getHelp = () => {
    theirs ??= (async () => startHelper().check(shared))().catch(() => undefined);
  };
  if (alone.length >= worthHelp.files) getHelp();
  const haveTurn = createTurns(options, () => ({ checked: takenOf(shared, alone.length), total: alone.length, of: 'agent' }));
  const mine = new PartCheck(options, index, haveTurn);
  const own = new Set<number>();
  for (let at = takeNext(shared); at < alone.length; at = takeNext(shared)) {
    own.add(at);
    const taking = mine.take(alone[at] as string);
    if (taking !== undefined) await taking;
    if (mine.found >= worthHelp.seen && (mine.found / own.size) * alone.length >= worthHelp.files) getHelp();
  }
  for (const folder of alike) await mine.take(folder, { hasTwin: true });
  const found = await theirs;
  // A rule that failed there fails here too, with words for it; a thread that could not be had is no reason to fail.
  if (theirs !== undefined && found === undefined) {
    for (const [at, folder] of alone.entries()) if (!own.has(at)) await mine.take(folder);
  }
  return found === undefined ? [mine.result()] : [mine.result(), found];
}
