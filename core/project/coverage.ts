import { Refused } from '../agent/load/refused.js';
import { agentCoverage, type Coverable, mergeCoverage } from '../eval/coverage/agentCoverage.js';
import { orchestrationCoverage } from '../eval/coverage/orchestrationCoverage.js';
import { type KeptRun, readEval } from '../eval/runner/evalStore.js';
import { type PlannedCase, slotKey, slotsOf } from '../eval/runner/plan.js';
import { groupBy } from '../groupBy.js';
import { loadPatterns } from '../routing/patterns.js';
import type { EvalProject } from './evalLoader.js';
import { filesOf } from './evals.js';

/** The runs of one case. */
export interface CoveredCase {
  readonly planned: PlannedCase;
  readonly runs: readonly KeptRun[];
}

/** What cases have covered of their agents and orchestrations, by the current files. One that cannot be loaded is left out. */
export async function coverageOfCases({ project, environment }: EvalProject, cases: readonly CoveredCase[]): Promise<readonly Coverable[]> {
  const index = await project.index();
  const common = { index, environment_name: environment };
  const subjects = groupBy(cases, ({ planned: { subject, version } }) => JSON.stringify([subject, version]));
  const reached: (readonly Coverable[])[] = [];
  for (const group of subjects.values()) {
    const { subject, version } = group[0].planned;
    if (version === null) {
      const loaded = await project.loadOrchestration({ ...common, name: subject });
      if (loaded instanceof Refused) continue;
      const runs = group.flatMap(({ planned, runs: kept }) =>
        kept.flatMap(({ turns }) => turns.map(({ result }, turn) => ({ ...result, input: planned.turns[turn]?.input ?? {} }))),
      );
      reached.push(orchestrationCoverage(loaded.resolved, runs, await loadPatterns()));
    } else {
      const loaded = await project.load({ ...common, agent_name: subject, version });
      if (loaded instanceof Refused) continue;
      const runs = group.flatMap(({ runs: kept }) => kept.flatMap(({ turns }) => turns.map(({ result }) => result)));
      reached.push(agentCoverage(loaded.agent.resolved, runs));
    }
  }
  return mergeCoverage(reached);
}

/** The same for a kept eval. Verdicts that were carried over cover nothing. @throws ResumeError if there is no such eval */
export async function coverageOfEval(place: EvalProject, eval_id: string): Promise<readonly Coverable[]> {
  const { plan, runs } = await readEval(filesOf(place), eval_id);
  const runsOfCase = plan.cases.map((): KeptRun[] => []);
  for (const slot of slotsOf(plan)) {
    const run = runs.get(slotKey(slot));
    if (run !== undefined) runsOfCase[slot.case]?.push(run);
  }
  const cases = plan.cases.map((planned, index): CoveredCase => ({ planned, runs: runsOfCase[index] ?? [] }));
  return coverageOfCases({ ...place, environment: plan.environment ?? undefined }, cases);
}
