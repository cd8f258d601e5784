import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import { newCaseFile } from '../../../core/scaffold/newCaseFile.js';
import type { Services } from '../../services.js';
import { done } from '../../views/done.js';
import { uriIn } from '../../views/preview/agentArgument.js';
import { askName } from '../askName.js';
import { Refusal } from '../refusal.js';
import { agentNames, inputOfAgent } from './inputOfAgent.js';
import { givenName, type NewPlace, newPlace, placeIn, takenBy, writeNew } from './newPlace.js';

/**
 * Makes a payload with every key that its agent takes, and opens it. The agent is that of the node or file the command was called on, else of
 * the active editor, else one that the user picks. A program gives `{uri, name}`.
 */
export async function createPayload(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const uri = uriIn(target);
  const folder = uri && services.projects.of(uri);
  const place = folder === undefined ? await newPlace(services, target) : await placeIn(folder);
  const agent = agentMeant(place, target, uri ?? vscode.window.activeTextEditor?.document.uri) ?? (await pickAgent(place));
  if (agent === undefined) return undefined;
  const taken = (name: string) => takenBy(place, 'payload', `${agent}/${name}`);
  const name = await askName({ title: t('New Payload for {0}', agent), prompt: t('Its name'), taken }, givenName(target));
  if (name === undefined) return undefined;
  const created = await writeNew(place, [newCaseFile(place.index, agent, name, { input: await inputOfAgent(place, agent) })]);
  done('payload');
  return created;
}

function agentMeant({ index, folder }: NewPlace, target: unknown, uri: vscode.Uri | undefined): string | undefined {
  if (typeof target === 'object' && target !== null && 'agent_name' in target && typeof target.agent_name === 'string')
    return target.agent_name;
  const path = uri && folder.pathOf(uri);
  const identity = path === undefined ? undefined : identifyFile(path, index.settings);
  return identity?.kind === 'agent' ? identity.name : identity?.kind === 'payload' ? identity.agent : undefined;
}

async function pickAgent(place: NewPlace): Promise<string | undefined> {
  const names = agentNames(place);
  if (names.length === 0) throw noAgent();
  return vscode.window.showQuickPick(names, { placeHolder: vscode.l10n.t('For which agent?') });
}

/** Refuses a command that needs an agent. */
export function noAgent(): Refusal {
  return new Refusal(vscode.l10n.t('There is no agent in this workspace yet.'), [
    { title: vscode.l10n.t('Create Agent'), run: () => vscode.commands.executeCommand('agentStack.createAgent') },
  ]);
}
