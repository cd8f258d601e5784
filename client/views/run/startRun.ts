import * as vscode from 'vscode';
import { checkPayload } from '../../../core/agent/checkPayload.js';
import type { RunResult } from '../../../core/agent/events.js';
import { InputInvalidError } from '../../../core/errors.js';
import type { Client } from '../../client.js';
import { Refusal } from '../../commands/refusal.js';
import { requireTrust } from '../../trust.js';
import { requireServers } from '../tools/requireServers.js';
import { planAgentRun } from './agentRun.js';
import { type CheckedAgent, checkedAgent } from './checkedAgent.js';
import type { RunChoice } from './liveRun.js';
import { requireKey } from './requireKey.js';
import { follow } from './startTeamRun.js';

/** Runs what was chosen, shows it, and ends with its result. @throws Refusal when it cannot run */
export async function startRun(client: Client, choice: RunChoice): Promise<RunResult> {
  requireTrust();
  const { payload, llm } = choice;
  const checked = await checkedAgent(client, choice, { payload, ...(llm !== undefined && { llm }) });
  requireInput(checked, choice);
  await requireKey(checked);
  await requireServers(client, choice.folder, checked.project, checked.agent.resolved.servers);
  const isDurable = vscode.workspace.getConfiguration('agentStack', choice.folder.uri).get('runs.durable', false);
  return follow(client, planAgentRun(checked.project, checked.agent, choice, isDurable));
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
