import * as vscode from 'vscode';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { promptUri, uriIn } from '../promptUri.js';
import { type AgentItem, listAgents } from './agentArgument.js';
import type { WithPreviews } from './previewLoader.js';

/**
 * Shows the prompts of two agent files as a diff of live documents, the older one on the left.
 *
 * @param args two uris or items of the agents view; or one, which is picked beforehand together with its previous version; or none
 */
export async function comparePrompts(services: Services & WithPreviews, ...args: readonly unknown[]): Promise<void> {
  const argumentUris = args.flat().flatMap((argument) => uriIn(argument) ?? []);
  const distinct = [...new Map(argumentUris.map((uri) => [uri.toString(), uri])).values()];
  const agents = await listAgents(services);
  const [first, second] = agents;
  if (first !== undefined && second === undefined)
    throw new Refusal(vscode.l10n.t('There is nothing to compare with: {0} is the only agent, in its only version.', first.label), [
      { title: vscode.l10n.t('Create Next Version'), run: () => vscode.commands.executeCommand('agentStack.createVersion', first.uri) },
    ]);
  const itemOf = (uri: vscode.Uri) => agents.find((item) => item.uri.toString() === uri.toString());
  const [left, right] = distinct.length === 2 ? distinct.map(itemOf) : ((await pickTwo(agents, distinct[0])) ?? []);
  if (left === undefined || right === undefined) return;
  const [older, newer] = agents.indexOf(left) <= agents.indexOf(right) ? [left, right] : [right, left];
  const title = vscode.l10n.t('{0} and {1} (Prompts)', older.label, newer.label);
  await vscode.commands.executeCommand('vscode.diff', promptUri(older.uri), promptUri(newer.uri), title);
}

/** @returns undefined when the user left */
function pickTwo(agents: readonly AgentItem[], first: vscode.Uri | undefined): Promise<readonly AgentItem[] | undefined> {
  const start = first ?? uriIn(vscode.window.activeTextEditor?.document.uri);
  const startIndex = agents.findIndex(({ uri }) => uri.toString() === start?.toString());
  const before = agents[startIndex - 1];
  const preselected = agents.filter((item, index) => index === startIndex || (item === before && item.name === agents[startIndex]?.name));
  const pick = vscode.window.createQuickPick<AgentItem>();
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.title = vscode.l10n.t('Compare Prompts');
  pick.placeholder = vscode.l10n.t('Choose two agents, or two versions of one');
  // The chosen item is on top, where it is visible.
  pick.items = [...preselected, ...agents.filter((item) => !preselected.includes(item))];
  pick.selectedItems = preselected;
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      if (pick.selectedItems.length === 2) {
        resolve(pick.selectedItems);
        pick.hide();
      } else pick.title = vscode.l10n.t('Compare Prompts: choose exactly two ({0} chosen)', pick.selectedItems.length);
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
