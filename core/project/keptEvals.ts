import { type EvalFiles, listEvalIds, planProblem, readKeptReport } from '../eval/runner/evalStore.js';
import type { CaseReport, EvalReport } from '../generated/types.js';
import { FileProblem } from '../ports.js';
import type { KeptFolders } from './adapters.js';
import { createKeptStore, type KeptStore, type Standing } from './keptStore.js';

/** A kept eval in a list. */
export interface EvalSummary {
  readonly eval_id: string;
  /**
   * `running`: a process holds it. `ended`: all its runs have ended. `open`: it did not end, so it can be resumed. `broken`: its files do not show
   * which of these it is.
   */
  readonly state: 'running' | 'ended' | 'open' | 'broken';
  /** The fault of a broken one, in a sentence. */
  readonly problem: string | null;
  readonly report: EvalReport | null;
}

export interface KeptEvals extends KeptStore {
  /** The newest evals. @throws FileProblem */
  summarize(limit: number): Promise<readonly EvalSummary[]>;
}

/** The evals of a project, for listing and deleting. */
export function createKeptEvals(files: EvalFiles, folders: KeptFolders): KeptEvals {
  const kind = { command: 'eval', list: () => listEvalIds(files.files), standing } as const;

  async function summarize(eval_id: string): Promise<EvalSummary> {
    const isHeld = folders.holderOf(eval_id) !== undefined;
    try {
      const report = (await readKeptReport(files.files, eval_id)) ?? null;
      const isWhole = report?.suites.every(({ cases }) => cases.every(isRun)) === true;
      const problem = isHeld || isWhole ? null : ((await planProblem(files, eval_id)) ?? null);
      return { eval_id, state: isHeld ? 'running' : isWhole ? 'ended' : problem === null ? 'open' : 'broken', problem, report };
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      return { eval_id, state: isHeld ? 'running' : 'broken', problem: error.message, report: null };
    }
  }

  async function standing(eval_id: string): Promise<Standing> {
    const { state, problem } = await summarize(eval_id);
    if (state === 'broken') return { unfinished: `cannot be read back: ${problem?.replace(/\.$/, '')}` };
    return state === 'open' ? { unfinished: 'can still be resumed' } : {};
  }

  return {
    ...createKeptStore(kind, folders),
    async summarize(limit) {
      const summaries: EvalSummary[] = [];
      for (const id of (await kind.list()).slice(0, limit)) summaries.push(await summarize(id));
      return summaries;
    },
  };
}

/** False if the eval was cancelled before all runs of the case had ended. */
function isRun({ state, runs, repeats }: CaseReport): boolean {
  return state === 'carried' || runs.length === repeats;
}
