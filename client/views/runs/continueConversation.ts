import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import { Refusal } from '../../commands/refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import type { WithGraphs } from '../graph/graphLoader.js';
import { checkedAgent } from '../run/checkedAgent.js';
import type { WithRuns } from '../run/runs.js';
import { startRun } from '../run/startRun.js';
import { typeInput } from '../run/typeInput.js';
import type { RunChoice } from '../run/types.js';
import { readReference } from './reference.js';
import { choiceOf } from './runAgain.js';

/** Goes on with the conversation of a run: asks for the next message (or input) and runs the agent with what was said before. */
export async function continueConversation(services: Services & WithRuns & WithGraphs, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const choice = await choiceMeant(services, argument);
  if (choice === undefined) return undefined;
  const { agent } = await checkedAgent(services, choice, { payload: choice.payload });
  if (choice.session === undefined || !agent.resolved.config.include_history)
    throw new Refusal(vscode.l10n.t('{0} keeps no conversation: include_history is not set.', choice.agent_name));
  const payload = await typeInput(agent, vscode.l10n.t('Continue with {0}', `${choice.agent_name}@${choice.version}`), {});
  return payload === undefined || payload === 'back' ? undefined : startRun(services, { ...choice, payload });
}

async function choiceMeant(services: Services & WithRuns & WithGraphs, argument: unknown): Promise<RunChoice | undefined> {
  const panel = services.runs.panels.find((one) => one === argument || (argument === undefined && one.isActive));
  if (panel !== undefined && 'choice' in panel.run && panel.run.transcript.facts.kind === 'agent') return panel.run.choice as RunChoice;
  const reference = readReference(services, argument);
  return reference && choiceOf(reference);
}
