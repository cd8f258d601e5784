import { usdText } from '../core/amounts.js';
import { forecastWords } from '../core/eval/report/baselineWords.js';
import type { Migration, MigrationEval } from '../core/generated/types.js';
import { compareMigration, newModel, subjectsOf } from '../core/migrate/evaluateMigration.js';
import type { MigrationPlan } from '../core/migrate/planMigration.js';
import type { LoadSubject } from '../core/project/evalLoader.js';
import { estimateEval, type NewEval, startEval } from '../core/project/evals.js';
import { approveTools, readAllowedTools } from './allowTools.js';
import { askYes, mayAsk } from './askYes.js';
import { type Cli, UsageError } from './cli.js';
import { catchInterrupts } from './interrupt.js';
import { openCliProject, openEvalProject } from './openCliProject.js';

export interface MigrateEvalOptions {
  readonly environment?: string;
  /** From 0 to 1. */
  readonly margin: number;
  readonly repeats?: number;
  /** USD for the whole eval. */
  readonly maxCost?: number;
  readonly concurrency: number;
  readonly allowTools?: string | true;
}

/** Runs the cases of the migrating agents with the old and the new model alternately. @throws UsageError if the cost is not permitted */
export async function evaluate(
  cli: Cli,
  root: string,
  plan: MigrationPlan,
  moves: Migration['moves'],
  options: MigrateEvalOptions,
): Promise<MigrationEval> {
  const { environment, margin, maxCost, repeats } = options;
  const place = openEvalProject(cli, root, options.environment === undefined ? {} : { environment: options.environment });
  const { settings } = await place.project.index();
  const subjects = subjectsOf(moves, plan.tested, environment ?? settings.environment);
  const asked = subjects.filter(({ why }) => why === undefined);
  if (asked.length === 0) return compareMigration(subjects, undefined, margin);
  const migrated = openCliProject(cli, root, { files: plan.candidate, ...(environment !== undefined && { environment }) });
  const versions = new Map(asked.flatMap(({ subject, version }) => (version === undefined ? [] : [[subject, version] as const])));
  const state = { index: await migrated.index(), environment_name: environment };
  const loadMigrated: LoadSubject = ({ kind, subject, version }) =>
    kind === 'agent'
      ? migrated.load({ ...state, agent_name: subject, version: versions.get(`${subject}@${version}`) ?? version ?? undefined })
      : migrated.loadOrchestration({ ...state, name: subject });
  const baselines = `${settings.config_dir}/baselines`;
  const hasBaselines = (await place.project.ports.files.list(baselines)).length > 0;
  const wanted: NewEval = {
    names: asked.map(({ subject }) => subject),
    tags: [],
    repeats,
    llms: [null, newModel],
    max_cost: maxCost,
    ...(hasBaselines && { against: { source: baselines } }),
  };
  const both = { ...place, states: new Map([[newModel, loadMigrated]]) };
  const forecast = await estimateEval(both, wanted);
  const { cost, limit } = forecast.worst_case;
  const words = forecastWords(forecast);
  if (cost !== 0 && maxCost === undefined) {
    if (!mayAsk(cli))
      throw new UsageError(`--eval asks before it spends, and no one can answer here. ${words}. Give --max-cost USD. Nothing was asked.`);
    cli.terminal.endLine();
    if (!(await askYes(cli, `${words}. Ask them${limit === null ? '' : `, for at most ${usdText(limit)}`}?`)))
      throw new UsageError('Nothing was asked.');
  } else cli.terminal.note(`${words}.`);
  const { signal, release } = catchInterrupts(cli.terminal);
  try {
    const report = await startEval(both, wanted, {
      concurrency: options.concurrency,
      approve: approveTools(readAllowedTools(options.allowTools)),
      signal,
      onProgress: ({ done, total, spent }) => cli.terminal.progress(`${done} of ${total} runs; ${usdText(spent)} so far`),
    });
    return compareMigration(subjects, report, margin);
  } finally {
    release();
    await place.project.flush();
    await migrated.flush();
  }
}
