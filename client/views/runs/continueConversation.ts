import * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import type { Client } from '../../client.js';
import { Refusal } from '../../commands/refusal.js';
import { requireTrust } from '../../trust.js';
import { checkedAgent } from '../run/checkedAgent.js';
import type { RunChoice } from '../run/liveRun.js';
import { startRun } from '../run/startRun.js';
import { typeInput } from '../run/typeInput.js';
import { readReference } from './reference.js';
import { choiceOf } from './runAgain.js';

/** Goes on with the conversation of a run: asks for the next message (or input) and runs the agent with what was said before. */
export async function continueConversation(client: Client, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const choice = await choiceMeant(client, argument);
  if (choice === undefined) return undefined;
  const { agent } = await checkedAgent(client, choice, { payload: choice.payload });
  if (choice.session === undefined || !agent.resolved.config.include_history)
    throw new Refusal(vscode.l10n.t('{0} keeps no conversation: include_history is not set.', choice.agent_name));
  const payload = await typeInput(agent, vscode.l10n.t('Continue with {0}', `${choice.agent_name}@${choice.version}`), {});
  return payload === undefined || payload === 'back' ? undefined : startRun(client, { ...choice, payload });
}

async function choiceMeant(client: Client, argument: unknown): Promise<RunChoice | undefined> {
  const panel = client.runs.panels.find((one) => one === argument || (argument === undefined && one.isActive));
  if (panel !== undefined && 'choice' in panel.run && panel.run.transcript.facts.kind === 'agent') return panel.run.choice as RunChoice;
  const reference = readReference(client, argument);
  return reference && choiceOf(reference);
}
