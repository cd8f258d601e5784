import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { KnownFile } from '../config/memoryIndex.js';
import { readAhead } from './baseFiles.js';
import type { CheckProjectOptions, CheckReport } from './checkProject.js';
import { ProjectCheck } from './projectCheck.js';
import { inOrder, reportOf } from './projectReport.js';
import { namesAgents } from './readAgentsOf.js';
import { createTurns } from './turns.js';

/**
 * Lists all files of a project, and then checks them one by one.
 *
 * @throws the signal's reason; an error naming rule and file when a rule throws
 */
export async function checkListed(options: CheckProjectOptions): Promise<CheckReport> {
  const { paths, base, environment, onProgress } = options;
  const index = await loadProjectIndex(options.files);
  options.onIndex?.(index);
  if (environment !== undefined) index.settings = { ...index.settings, environment };
  const known = index.files();
  const isWanted = (path: string) => paths === undefined || paths.some((wanted) => covers(wanted, path));
  // Whether anything refers to an llm profile or a persona is known once every file has been read.
  const wantsUse = known.some(({ path, identity: { kind } }) => (kind === 'llm' || kind === 'persona') && isWanted(path));
  const toRead = wantsUse ? known : known.filter(({ path }) => isWanted(path));
  const { agents, others } = inOrder(toRead);
  const compared = agents.flatMap(({ path }) => (isWanted(path) ? [path] : []));
  const baseTexts = base && readAhead(base, compared);
  let checked = 0;
  const total = toRead.length;
  const haveTurn = createTurns(options, () => ({ checked, total, of: 'file' }));
  const take = async (check: ProjectCheck, { path, identity }: KnownFile, base?: string) => {
    check.base = base;
    const taking = check.take(path, identity, isWanted(path));
    const taken = typeof taking === 'string' ? taking : await taking;
    if (taken === 'later') return false;
    checked += 1;
    const turn = haveTurn();
    if (turn !== undefined) await turn;
    return true;
  };
  // Who names agents is told which there are, and that is known when all agents have been read.
  const alone = new ProjectCheck(options, index, { isForLater: namesAgents });
  const together = new ProjectCheck(options, index);
  const later: [KnownFile, string | undefined][] = [];
  for (const file of agents) {
    const base = isWanted(file.path) ? await baseTexts?.() : undefined;
    if (!(await take(alone, file, base))) later.push([file, base]);
  }
  for (const [file, base] of later) await take(together, file, base);
  for (const file of others) await take(together, file);
  onProgress?.({ checked, total, of: 'file' });
  const unlisted = index.findings.filter(({ file }) => index.identityOf(file) === undefined && isWanted(file));
  const exists = (wanted: string) =>
    wanted === '' || known.some(({ path }) => covers(wanted, path)) || index.findings.some(({ file }) => covers(wanted, file));
  return reportOf([alone, together], { unlisted, unmatched: (paths ?? []).filter((wanted) => !exists(wanted)) });
}

function covers(wanted: string, path: string): boolean {
  return wanted === '' || path === wanted || path.startsWith(`${wanted}/`);
}
