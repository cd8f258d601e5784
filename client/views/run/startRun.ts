import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { InputInvalidError } from '../../../core/errors.js';
import { checkPayload } from '../../../core/prompt/payloadCheck.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import type { RunPlan } from '../../panels/run/liveRun.js';
import { isReplay } from '../../panels/run/recordings.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunChoice } from '../../panels/run/types.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { requireServers } from '../tools/requireServers.js';
import { planAgentRun } from './agentRun.js';
import { type CheckedAgent, checkedAgent } from './checkedAgent.js';
import { requireBudget } from './requireBudget.js';
import { requireKey } from './requireKey.js';
import { follow } from './startTeamRun.js';

/** Runs what was chosen, shows it, and ends with its result. @throws Refusal when it cannot run */
export async function startRun(services: Services & WithGraphs & WithRuns, choice: RunChoice): Promise<RunResult> {
  return follow(services, await prepareRun(services, choice));
}

/** Prepares a run: its input is valid, its key and its servers are available. @throws Refusal when it cannot run */
export async function prepareRun(services: Services, choice: RunChoice): Promise<RunPlan> {
  requireTrust();
  const { payload, llm } = choice;
  const checked = await checkedAgent(services, choice, { payload, ...(llm !== undefined && { llm }) });
  requireInput(checked, choice);
  if (!isReplay(choice.recording)) {
    await requireBudget(services, choice.folder, [checked.agent, ...(checked.agent.agents?.values() ?? [])]);
    await requireKey(checked);
    await requireServers(services, choice.folder, checked.project, checked.agent.resolved.servers);
  }
  const isDurable = vscode.workspace.getConfiguration('agentStack', choice.folder.uri).get('runs.durable', false);
  return planAgentRun(checked, choice, isDurable);
}

function requireInput({ agent, uri }: CheckedAgent, { agent_name, version, payload }: RunChoice): void {
  try {
    checkPayload(agent.prompt, payload);
  } catch (error) {
    if (!(error instanceof InputInvalidError)) throw error;
    throw new Refusal(vscode.l10n.t('The input does not fit {0}: {1}', `${agent_name}@${version}`, error.message), [
      { title: vscode.l10n.t('Choose Input'), run: () => vscode.commands.executeCommand('agentStack.runAgent', { uri: uri }) },
    ]);
  }
}
