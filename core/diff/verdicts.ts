import { AgentStackError } from '../agentStackError.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { findText } from '../jsonText/findText.js';
import type { EvalProject } from '../project/evalLoader.js';
import { estimateEval } from '../project/evals.js';
import { listed } from '../words.js';
import { subjectWords } from './subjects.js';
import type { NotCompared, SubjectDiff, VerdictCounts } from './types.js';

interface Verdicts {
  readonly subjects: readonly SubjectDiff[];
  readonly notes: readonly NotCompared[];
}

/**
 * Adds what `eval --against` a commit would ask for each changed subject; nothing is asked. Cases belong to the newest version of an agent, and run
 * in the project's environment.
 */
export async function addVerdicts(
  place: EvalProject,
  index: LoadedIndex,
  subjects: readonly SubjectDiff[],
  commit: string,
): Promise<Verdicts> {
  const environment = place.environment ?? index.settings.environment;
  const notes: NotCompared[] = [];
  const counted: SubjectDiff[] = [];
  const withoutBaseline: string[] = [];
  for (const subject of subjects) {
    const { name } = subject;
    const verdicts = (await isTested(place, index, subject, environment)) ? await countVerdicts(place, name, commit) : null;
    if (verdicts === 'no baseline') withoutBaseline.push(name);
    else if (typeof verdicts === 'string') notes.push({ what: `verdicts on ${subjectWords(subject)}`, why: verdicts });
    counted.push(verdicts === null || typeof verdicts === 'string' ? subject : { ...subject, verdicts });
  }
  if (withoutBaseline.length > 0)
    notes.push({
      what: 'verdicts',
      why: `There is no baseline of ${listed(withoutBaseline)} to carry over from: \`eval --save-baseline\` writes one.`,
    });
  return { subjects: counted, notes };
}

/** Whether a subject has cases that ask it in an environment. */
export async function isTested(
  place: EvalProject,
  index: LoadedIndex,
  { name, version, broken, state, environments }: SubjectDiff,
  environment: string,
): Promise<boolean> {
  const isNewest = version === undefined || index.versions(name).at(-1) === version;
  return state !== 'removed' && broken?.side !== 'after' && environments.includes(environment) && isNewest && hasTests(place, index, name);
}

/** Whether cases expect something. Those that cannot be read are told by the eval that is estimated. */
async function hasTests({ project }: EvalProject, index: LoadedIndex, name: string): Promise<boolean> {
  for (const [id, path] of index.ids('payload'))
    if (id.startsWith(`${name}/`) && (await findText(project.ports.files, path))?.includes('"expect')) return true;
  return false;
}

/** The reason where nothing can be counted. */
async function countVerdicts(place: EvalProject, name: string, source: string): Promise<VerdictCounts | string> {
  try {
    const { counts, worst_case, without_baseline } = await estimateEval(place, {
      names: [name],
      tags: [],
      llms: [],
      against: { source, canaries: 0 },
    });
    if (without_baseline.length > 0) return 'no baseline';
    const { total, carried, changed, test_changed, expired, repeats } = counts;
    return { total, carried, changed, test_changed, new: counts.new, stale: expired + repeats, worst_case };
  } catch (error) {
    if (error instanceof AgentStackError) return error.message;
    throw error;
  }
}
