import { AgentStackError } from '../agentStackError.js';
import type { EvalProject } from '../project/evalLoader.js';
import { estimateEval } from '../project/evals.js';
import { subjectWords } from './subjects.js';
import type { NotCompared, SubjectDiff, VerdictCounts } from './types.js';

interface Verdicts {
  readonly subjects: readonly SubjectDiff[];
  readonly notes: readonly NotCompared[];
}

/**
 * Adds what `eval --against` a commit would ask for each changed subject; nothing is asked. Cases belong to the newest version of an agent, and run in
 * the project's environment.
 */
export async function addVerdicts(place: EvalProject, subjects: readonly SubjectDiff[], commit: string): Promise<Verdicts> {
  const index = await place.project.index();
  const environment = place.environment ?? index.settings.environment;
  const notes: NotCompared[] = [];
  const counted: SubjectDiff[] = [];
  for (const subject of subjects) {
    const { name, version, broken, state, environments } = subject;
    const isAsked =
      state !== 'removed' &&
      broken?.side !== 'after' &&
      environments.includes(environment) &&
      (version === undefined || index.versions(name).at(-1) === version) &&
      [...index.ids('payload').keys()].some((id) => id.startsWith(`${name}/`));
    const verdicts = isAsked ? await countVerdicts(place, name, commit) : null;
    if (typeof verdicts === 'string') notes.push({ what: `verdicts on ${subjectWords(subject)}`, why: verdicts });
    counted.push(verdicts === null || typeof verdicts === 'string' ? subject : { ...subject, verdicts });
  }
  return { subjects: counted, notes };
}

/** The reason where nothing can be counted. */
async function countVerdicts(place: EvalProject, name: string, source: string): Promise<VerdictCounts | string> {
  try {
    const { counts, worst_case } = await estimateEval(place, { names: [name], tags: [], llms: [], against: { source, canaries: 0 } });
    const { total, carried, changed, test_changed, expired, repeats } = counts;
    return { total, carried, changed, test_changed, new: counts.new, stale: expired + repeats, worst_case };
  } catch (error) {
    if (error instanceof AgentStackError) return error.message;
    throw error;
  }
}
