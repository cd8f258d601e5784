import * as vscode from 'vscode';
import type { Agent } from '../../../core/agent/types.js';
import type { JsonObject } from '../../../core/json.js';
import { findMissingKey, keyPlaceFor } from '../../../core/llm/providers/apiKey.js';
import type { Project } from '../../../core/project/types.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireServers } from '../tools/requireServers.js';
import { requireBudget } from './requireBudget.js';

/**
 * Before agents run: the budget of the day, every key and every server that one of them needs.
 *
 * @param payers the agents that may cost money; default: `agents`
 * @throws Refusal without a key or a server; CancellationError when the user does not want to run
 */
export async function requireParts(
  services: Services,
  folder: ProjectFolder,
  project: Project,
  agents: readonly Agent[],
  payers = agents,
): Promise<void> {
  await requireBudget(services, folder, payers);
  const servers: Record<string, JsonObject[string]> = {};
  for (const agent of agents) {
    await requireKey(project, agent);
    Object.assign(servers, agent.resolved.servers);
  }
  await requireServers(services, folder, project, servers);
}

/** Asks for a missing key before the run starts, so that its time limit does not run meanwhile. @throws Refusal when no key was entered */
async function requireKey(project: Project, { resolved: { llm } }: Agent): Promise<void> {
  const place = keyPlaceFor(llm);
  const missing = place && (await findMissingKey(llm, project.ports));
  if (place === undefined || missing === undefined) return;
  const ask = () => askForKey(llm.provider, place.name);
  if ((await ask()) && (await findMissingKey(llm, project.ports)) === undefined) return;
  throw new Refusal(missing, [{ title: vscode.l10n.t('Set API Key...'), run: ask }]);
}

/** @returns true when a key was stored; false when none was entered, or the user cannot be asked */
async function askForKey(provider: string, name: string): Promise<boolean> {
  const commands = await vscode.commands.getCommands(true);
  if (!commands.includes('agentStack.setApiKey')) return false;
  return (await vscode.commands.executeCommand('agentStack.setApiKey', { provider, name })) === true;
}
