import * as vscode from 'vscode';
import { findMissingKey, keyPlaceFor } from '../../../core/llm/providers/apiKey.js';
import { Refusal } from '../../refusal.js';
import type { CheckedAgent } from './checkedAgent.js';

/**
 * A run whose model needs a missing key asks for it, once, before it starts: its time limit does not run while the user looks
 * for the key. @throws Refusal when no key was given
 */
export async function requireKey({ agent, project }: Pick<CheckedAgent, 'agent' | 'project'>): Promise<void> {
  const { llm } = agent.resolved;
  const place = keyPlaceFor(llm);
  if (place === undefined) return;
  const missing = await findMissingKey(llm, project.ports);
  if (missing === undefined) return;
  const requestKey = () => askForKey(llm.provider, place.name);
  if ((await requestKey()) && (await findMissingKey(llm, project.ports)) === undefined) return;
  throw new Refusal(missing, [{ title: vscode.l10n.t('Set API Key...'), run: requestKey }]);
}

/** @returns true when a key was stored; false when none was entered, or the user cannot be asked */
async function askForKey(provider: string, name: string): Promise<boolean> {
  const commands = await vscode.commands.getCommands(true);
  if (!commands.includes('agentStack.setApiKey')) return false;
  return (await vscode.commands.executeCommand('agentStack.setApiKey', { provider, name })) === true;
}
