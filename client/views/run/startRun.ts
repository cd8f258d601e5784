import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { InputInvalidError } from '../../../core/errors.js';
import { checkPayload } from '../../../core/prompt/payloadCheck.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { LiveRun, type RunPlan } from '../../panels/run/liveRun.js';
import { isReplay } from '../../panels/run/recordings.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunChoice, TeamChoice } from '../../panels/run/types.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { type CheckedAgent, type CheckedOrchestration, checkedAgent } from './checkedRun.js';
import { requireParts } from './requireParts.js';
import { planAgentRun, planTeamRun } from './runPlans.js';
import { showRun } from './showRun.js';

/** Runs what was chosen, shows it, and ends with its result. @throws Refusal when it cannot run */
export async function startRun(services: Services & WithGraphs & WithRuns, choice: RunChoice): Promise<RunResult> {
  return follow(services, await prepareRun(services, choice));
}

/** Prepares a run: its input is valid, its key and its servers are available. @throws Refusal when it cannot run */
export async function prepareRun(services: Services, choice: RunChoice): Promise<RunPlan> {
  requireTrust();
  const { folder, payload, llm, recording } = choice;
  const checked = await checkedAgent(services, choice, { payload, ...(llm !== undefined && { llm }) });
  requireInput(checked, choice);
  const { project, agent } = checked;
  if (!isReplay(recording)) await requireParts(services, folder, project, [agent], [agent, ...(agent.agents?.values() ?? [])]);
  const isDurable = vscode.workspace.getConfiguration('agentStack', folder.uri).get('runs.durable', false);
  return planAgentRun(checked, choice, isDurable);
}

/** Prepares a run of an orchestration: its keys and its servers are available. @throws Refusal when it cannot run */
export async function prepareTeamRun(services: Services, checked: CheckedOrchestration, choice: TeamChoice): Promise<RunPlan> {
  requireTrust();
  const agents = [...checked.orchestration.agents.values()];
  if (!isReplay(choice.recording)) await requireParts(services, choice.folder, checked.project, agents);
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

function requireInput({ agent, uri }: CheckedAgent, { agent_name, version, payload }: RunChoice): void {
  try {
    checkPayload(agent.prompt, payload);
  } catch (error) {
    if (!(error instanceof InputInvalidError)) throw error;
    throw new Refusal(vscode.l10n.t('The input does not fit {0}: {1}', `${agent_name}@${version}`, error.message), [
      { title: vscode.l10n.t('Choose Input'), run: () => vscode.commands.executeCommand('agentStack.runAgent', { uri }) },
    ]);
  }
}
