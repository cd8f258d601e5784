import { usdText } from '../core/amounts.js';
import { type BlameRequest, type PreparedBlame, prepareBlames } from '../core/diff/blameSubjects.js';
import { subjectWords } from '../core/diff/subjects.js';
import type { Blame, SubjectDiff } from '../core/diff/types.js';
import { sumWorstCases, worstCaseWords } from '../core/llm/worstCase.js';
import type { EvalProject } from '../core/project/evalLoader.js';
import { plural } from '../core/words.js';
import { approveTools, readAllowedTools } from './allowTools.js';
import { askYes, mayAsk } from './askYes.js';
import { type Cli, UsageError } from './cli.js';
import { catchInterrupts } from './interrupt.js';

export interface BlameOptions {
  readonly repeats?: number;
  /** USD for all of it. */
  readonly maxCost?: number;
  readonly concurrency: number;
  readonly allowTools?: string | true;
}

export interface Blamed {
  readonly subjects: readonly SubjectDiff[];
  readonly isCancelled: boolean;
}

/** Finds the changed fields that moved the verdicts of each subject with cases. @throws UsageError if the cost is not permitted */
export async function blameChanges(
  cli: Cli,
  place: EvalProject,
  request: BlameRequest,
  { repeats, maxCost, concurrency, allowTools }: BlameOptions,
): Promise<Blamed> {
  const { terminal } = cli;
  const prepared = await prepareBlames(place, request, repeats);
  const blames = new Map<SubjectDiff, Blame>(prepared.flatMap((each) => ('blame' in each ? [[each.subject, each.blame] as const] : [])));
  const open = prepared.filter((each) => 'run' in each);
  if (open.length === 0) {
    if (prepared.length === 0) terminal.note('No agent or orchestration that changes has cases: nothing was asked.');
    return { subjects: withBlames(request, blames), isCancelled: false };
  }
  const limit = await agreeOnLimit(cli, open, maxCost);
  const { signal, release } = catchInterrupts(terminal);
  let spent = 0;
  try {
    for (const each of open) {
      const words = subjectWords(each.subject);
      const work = {
        concurrency,
        approve: approveTools(readAllowedTools(allowTools)),
        signal,
        onProgress: ({ done, total, spent: ofEval }: { readonly done: number; readonly total: number; readonly spent: number }) =>
          terminal.progress(`${words}: ${done} of ${total} runs of this round; ${usdText(spent + ofEval)} so far`),
      };
      const blame = await each.run(work, limit === undefined ? undefined : Math.max(0, limit - spent));
      spent += blame.cost_usd;
      blames.set(each.subject, blame);
    }
  } finally {
    release();
    await place.project.flush();
  }
  return { subjects: withBlames(request, blames), isCancelled: signal.aborted };
}

/** Asks before anything is paid. @returns USD that may be spent; undefined without a limit */
async function agreeOnLimit(cli: Cli, open: readonly PreparedBlame[], maxCost: number | undefined): Promise<number | undefined> {
  const worst = sumWorstCases(open.map(({ worst_case }) => ({ worst: worst_case, times: 1 })));
  const parts = open.map(({ subject, cases, fields }) => `${subjectWords(subject)}: ${plural(fields, 'field')}, ${plural(cases, 'case')}`);
  const words = `${parts.join('; ')}; ${worstCaseWords(worst)}`;
  if (worst.cost === 0 || maxCost !== undefined) {
    cli.terminal.note(`${words}.`);
    return maxCost;
  }
  if (!mayAsk(cli))
    throw new UsageError(`--blame asks before it spends, and no one can answer here. ${words}. Give --max-cost USD. Nothing was asked.`);
  cli.terminal.endLine();
  if (!(await askYes(cli, `${words}. Ask them${worst.limit === null ? '' : `, for at most ${usdText(worst.limit)}`}?`)))
    throw new UsageError('Nothing was asked.');
  return worst.limit ?? undefined;
}

function withBlames({ subjects }: BlameRequest, blames: ReadonlyMap<SubjectDiff, Blame>): readonly SubjectDiff[] {
  return subjects.map((subject) => {
    const blame = blames.get(subject);
    return blame === undefined ? subject : { ...subject, blame };
  });
}
