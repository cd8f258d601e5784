import type { RunResult } from '../../../core/agent/events.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { LiveRun, type RunPlan } from '../../panels/run/liveRun.js';
import { isReplay } from '../../panels/run/recordings.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { TeamChoice } from '../../panels/run/types.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import type { CheckedOrchestration } from './checkedOrchestration.js';
import { requireParts } from './requireParts.js';
import { showRun } from './showRun.js';
import { planTeamRun } from './teamRun.js';

/** Prepares a run of an orchestration: its keys and its servers are available. @throws Refusal when it cannot run */
export async function prepareTeamRun(
  services: Services & WithGraphs & WithRuns,
  checked: CheckedOrchestration,
  choice: TeamChoice,
): Promise<RunPlan> {
  requireTrust();
  if (!isReplay(choice.recording)) await requireParts(services, choice.folder, checked.project, checked.orchestration.agents.values());
  return planTeamRun(checked, choice);
}

/** Shows a run in its panel, and in the graph of its orchestration where that is open. */
export async function follow(services: Services & WithGraphs & WithRuns, plan: RunPlan): Promise<RunResult> {
  const run = new LiveRun(services, plan);
  showRun(services, run, { isNew: true, keepsFocus: true });
  services.graphs.loaded?.follow(run);
  const result = await run.result;
  void import('../runs/ignoreHint.js').then(({ hintAtIgnoring }) => hintAtIgnoring(services, plan.folder));
  return result;
}
