import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import { Refusal } from '../../commands/refusal.js';
import type { Services } from '../../services.js';
import type { WithPreviews } from './previewLoader.js';
import { agentOf, promptScheme } from './promptUri.js';

/** What a command was called on: a Uri, an item of the agents view, or something else. */
export function uriIn(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument.scheme === promptScheme ? agentOf(argument) : argument;
  if (typeof argument !== 'object' || argument === null || !('uri' in argument)) return undefined;
  return argument.uri instanceof vscode.Uri ? argument.uri : undefined;
}

/**
 * The agent file a command is about: its argument, else the active editor, else one the user picks.
 *
 * @returns undefined when the user picked none
 * @throws Refusal for a file that is no agent, and where there is none
 */
export async function agentFile(services: Services & WithPreviews, argument: unknown): Promise<vscode.Uri | undefined> {
  const named = uriIn(argument);
  if (named !== undefined) {
    if (await isAgentFile(services, named)) return named;
    throw new Refusal(vscode.l10n.t('{0} is no agent file.', vscode.workspace.asRelativePath(named)));
  }
  const active = uriIn(vscode.window.activeTextEditor?.document.uri);
  if (active !== undefined && (await isAgentFile(services, active))) return active;
  const agents = await listAgents(services);
  const picked = await vscode.window.showQuickPick(agents, { placeHolder: vscode.l10n.t('Agent'), matchOnDescription: true });
  return picked?.uri;
}

export interface AgentItem extends vscode.QuickPickItem {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly version: string;
}

/** Every version of every agent of the workspace, oldest first. @throws Refusal when there is none */
export async function listAgents(services: Services & WithPreviews): Promise<readonly AgentItem[]> {
  const { previews } = await services.previews.load();
  const items: AgentItem[] = [];
  for (const folder of await services.projects.list()) {
    const index = await previews.projectOf(vscode.Uri.joinPath(folder.uri, 'agentstack.json'))?.index();
    for (const [id, path] of index?.ids('agent') ?? []) {
      const at = id.lastIndexOf('@');
      items.push({ label: id, description: path, uri: folder.uriOf(path), name: id.slice(0, at), version: id.slice(at + 1) });
    }
  }
  if (items.length === 0) throw new Refusal(vscode.l10n.t('There is no agent in this workspace.'));
  return items;
}

async function isAgentFile(services: Services & WithPreviews, uri: vscode.Uri): Promise<boolean> {
  const { previews } = await services.previews.load();
  const project = previews.projectOf(uri);
  const path = project?.folder.pathOf(uri);
  if (project === undefined || path === undefined) return false;
  return identifyFile(path, (await project.index()).settings)?.kind === 'agent';
}
