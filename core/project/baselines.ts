import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { parseConfigObject } from '../config/parseConfigFile.js';
import { pathOf } from '../config/paths.js';
import { BaselineError } from '../errors.js';
import { type BaselineVerdict, baselineText, mergeBaseline, readBaseline } from '../eval/baseline/baselineFile.js';
import { expectationsOf, readCases } from '../eval/readCases.js';
import type { CaseReport, EvalReport, SuiteReport } from '../generated/types.js';
import { FileProblem } from '../ports.js';
import type { BaselineSources } from './adapters.js';
import type { Project } from './types.js';

/** The verdicts to compare with. */
export interface ReadBaselines {
  /** Id of the commit; null for files. */
  readonly commit: string | null;
  /** By the name of the agent or orchestration; those without a baseline are left out. */
  readonly verdicts: ReadonlyMap<string, readonly BaselineVerdict[]>;
}

interface BaselineQuestion {
  /** A git revision (`origin/main`), or a path relative to the working directory. */
  readonly source: string;
  /** Names of the agents and orchestrations whose cases run. */
  readonly subjects: readonly string[];
}

/**
 * Reads baselines from a git ref, or from a file or folder.
 *
 * @throws BaselineError for a file that is unreadable or invalid; GitBaseError for an unknown commit
 */
export async function readBaselines(
  sources: BaselineSources,
  index: LoadedIndex,
  { source, subjects }: BaselineQuestion,
): Promise<ReadBaselines> {
  const kind = sources.kindOf(source);
  if (kind === 'folder') {
    const folder = source.replace(/[/\\]$/, '');
    const texts = subjects.map(async (subject) => [subject, await readOutside(sources, `${folder}/${subject}.json`)] as const);
    return { commit: null, verdicts: toVerdicts(await Promise.all(texts), (subject) => `${folder}/${subject}.json`) };
  }
  if (kind === 'file' || source.endsWith('.json')) {
    const subject = source.replace(/^.*[/\\]/, '').replace(/\.json$/, '');
    if (!subjects.includes(subject))
      throw new BaselineError(
        `${source} has the verdicts on ${subject}, and no case of ${subject} is asked. Name the agent or orchestration, or compare with the whole folder. Nothing was asked.`,
      );
    const text = await readOutside(sources, source);
    if (text === undefined)
      throw new BaselineError(
        `There is no file ${source}. Write one with \`agent-stack eval ${subject} --save-baseline\`. Nothing was asked.`,
      );
    return { commit: null, verdicts: toVerdicts([[subject, text]], () => source) };
  }
  const base = await sources.openCommit(source);
  try {
    const texts = subjects.map(async (subject) => [subject, await base.readText(pathOf('baseline', subject, index.settings))] as const);
    const verdicts = toVerdicts(await Promise.all(texts), (subject) => `${pathOf('baseline', subject, index.settings)} at ${source}`);
    return { commit: base.commit, verdicts };
  } finally {
    base.close();
  }
}

function toVerdicts(
  texts: readonly (readonly [subject: string, text: string | undefined])[],
  pathOfSubject: (subject: string) => string,
): ReadBaselines['verdicts'] {
  return new Map(
    texts.flatMap(([subject, text]) => (text === undefined ? [] : [[subject, readBaseline(text, pathOfSubject(subject))] as const])),
  );
}

async function readOutside(sources: BaselineSources, path: string): Promise<string | undefined> {
  try {
    return await sources.readText(path);
  } catch (error) {
    throw error instanceof FileProblem ? new BaselineError(`${error.message} Nothing was asked.`, { cause: error }) : error;
  }
}

/** A baseline file after an eval. */
export interface SavedBaseline {
  /** Project path. */
  readonly path: string;
  /** Number of verdicts of this eval. */
  readonly saved: number;
  /** Number of older verdicts, on cases that did not run or could not be judged. */
  readonly kept: number;
  /** Number of removed verdicts, on cases that no longer exist. */
  readonly removed: number;
}

type Place = Pick<Project, 'ports'>;

/** The current verdicts of the project's baseline, read before the eval costs anything. @throws BaselineError */
export async function readOwnBaseline(
  { ports }: Place,
  index: LoadedIndex,
  subject: string,
): Promise<{ text: string | undefined; verdicts: readonly BaselineVerdict[] }> {
  const path = pathOf('baseline', subject, index.settings);
  try {
    const text = await ports.files.readText(path);
    return { text, verdicts: readBaseline(text, path) };
  } catch (error) {
    if (error instanceof FileProblem && error.reason === 'not-found') return { text: undefined, verdicts: [] };
    if (error instanceof FileProblem) throw new BaselineError(`${error.message} Nothing was asked.`, { cause: error });
    throw error;
  }
}

/**
 * Writes the verdicts of an eval into the baselines of its agents and orchestrations: only cases of which every repeat could be judged. Cases that
 * did not run keep their verdicts; those of cases that no longer exist are removed.
 *
 * @throws BaselineError, FileProblem; files that were not written are unchanged
 */
export async function saveBaselines(project: Place, index: LoadedIndex, report: EvalReport): Promise<readonly SavedBaseline[]> {
  if (report.replayed)
    throw new BaselineError(
      'Recordings answered, so these verdicts are as old as the recordings: no baseline was written. Run the eval without --replay.',
    );
  const bySubject = new Map<string, SuiteReport[]>();
  for (const suite of report.suites) bySubject.set(suite.name, [...(bySubject.get(suite.name) ?? []), suite]);
  const saved: SavedBaseline[] = [];
  for (const [subject, suites] of bySubject) {
    const path = pathOf('baseline', subject, index.settings);
    const { text, verdicts: before } = await readOwnBaseline(project, index, subject);
    const names = await casesOf(project, index, subject);
    const verdicts = suites.flatMap((suite) => suite.cases.flatMap((caseReport) => toVerdict(suite, caseReport, report) ?? []));
    const merged = mergeBaseline({ before, measured: verdicts, isThere: (verdict) => isThere(verdict, subject, names, index) });
    const eol = text?.includes('\r\n') ? '\r\n' : '\n';
    const next = baselineText(merged.verdicts, eol);
    const isNothing = text === undefined && merged.verdicts.length === 0;
    if (next !== text && !isNothing) await project.ports.files.writeText(path, next);
    saved.push({ path, saved: verdicts.length, kept: merged.verdicts.length - verdicts.length, removed: merged.removed });
  }
  return saved;
}

/** Undefined for a case that could not be judged in full: half a verdict would replace a whole one. */
function toVerdict(
  { version, llm, simulated, model_name }: SuiteReport,
  one: CaseReport,
  { started }: EvalReport,
): BaselineVerdict | undefined {
  const { name, key, test, state, before, passes, judged, repeats, mean_uncached_cost_usd } = one;
  // It keeps the date of its run.
  if (state === 'carried') return before === undefined ? undefined : { ...before, case: name, version, llm };
  if (key === null || test === null || judged === 0 || judged < repeats) return undefined;
  const cost_usd = simulated ? null : mean_uncached_cost_usd;
  const date = started.slice(0, 10);
  return { case: name, version, llm, passes, repeats: judged, model: model_name, cost_usd, simulated, date, key, test };
}

async function casesOf({ ports }: Place, index: LoadedIndex, subject: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const [id, file] of index.ids('payload')) {
    if (!id.startsWith(`${subject}/`)) continue;
    const payload = id.slice(subject.length + 1);
    const value = parseConfigObject(await ports.files.readText(file));
    // Its cases cannot be read now, so none of them counts as removed.
    if (value === undefined) names.add(`${payload}/*`);
    else for (const test of readCases(payload, value)) if (expectationsOf(test).length > 0) names.add(test.name);
  }
  return names;
}

function isThere({ case: name, version, llm }: BaselineVerdict, subject: string, names: ReadonlySet<string>, index: LoadedIndex): boolean {
  if (version !== null && !index.versions(subject).includes(version)) return false;
  if (llm !== null && !index.ids('llm').has(llm)) return false;
  return names.has(name) || names.has(`${name.split('/', 1)[0]}/*`);
}
