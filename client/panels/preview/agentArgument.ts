import * as vscode from 'vscode';
import { identifyFile, pathOf } from '../../../core/config/paths.js';
import { noAgent } from '../../pickProject.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { uriIn } from '../promptUri.js';
import type { WithPreviews } from './previewLoader.js';
import type { PreviewProject } from './previewProject.js';

/**
 * The agent file a command is about: its argument, else the active editor, else one the user picks. A payload file stands for the newest version of
 * its agent.
 *
 * @returns undefined when the user picked none
 * @throws Refusal for a file that is not an agent, and if the workspace has no agent
 */
export async function agentFile(services: Services & WithPreviews, argument: unknown): Promise<vscode.Uri | undefined> {
  const argumentUri = uriIn(argument);
  if (argumentUri !== undefined) {
    const agent = await agentAt(services, argumentUri);
    if (agent !== undefined) return agent;
    throw await notAnAgent(services, argumentUri);
  }
  const active = uriIn(vscode.window.activeTextEditor?.document.uri);
  const activeAgent = active && (await agentAt(services, active));
  if (activeAgent !== undefined) return activeAgent;
  const agents = await listAgents(services);
  const picked = await vscode.window.showQuickPick(agents, { placeHolder: vscode.l10n.t('Agent'), matchOnDescription: true });
  return picked?.uri;
}

export interface AgentItem extends vscode.QuickPickItem {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly version: string;
}

/** Every version of every agent of the workspace, oldest first. @throws Refusal if it has no agent */
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
  if (items.length === 0) throw noAgent();
  return items;
}

/** A payload file, and the agent that it is for. */
export interface PayloadFile {
  /** Project path. */
  readonly path: string;
  readonly name: string;
  readonly agent_name: string;
  /** The newest version of the agent. */
  readonly agent: vscode.Uri;
  readonly project: PreviewProject;
}

/** Undefined for a file that is not a payload, or whose agent does not exist. */
export async function payloadFile(services: Services & WithPreviews, uri: vscode.Uri): Promise<PayloadFile | undefined> {
  const file = await fileAt(services, uri);
  if (file?.identity?.kind !== 'payload') return undefined;
  const { project, path, index, identity } = file;
  const { name, agent: agent_name } = identity;
  const newest = agent_name === undefined ? undefined : index.versions(agent_name).at(-1);
  if (agent_name === undefined || newest === undefined) return undefined;
  const agent = project.folder.uriOf(pathOf('agent', `${agent_name}@${newest}`, index.settings));
  return { path, name, agent_name, agent, project };
}

/** A file of a project, and what it is. */
async function fileAt(services: Services & WithPreviews, uri: vscode.Uri) {
  const { previews } = await services.previews.load();
  const project = previews.projectOf(uri);
  const path = project?.folder.pathOf(uri);
  if (project === undefined || path === undefined) return undefined;
  const index = await project.index();
  return { project, path, index, identity: identifyFile(path, index.settings) };
}

/** A payload may be there before its agent. */
async function notAnAgent(services: Services & WithPreviews, uri: vscode.Uri): Promise<Refusal> {
  const { t } = vscode.l10n;
  const path = vscode.workspace.asRelativePath(uri);
  const name = (await fileAt(services, uri))?.identity?.agent;
  if (name === undefined) return new Refusal(t('{0} is not an agent file.', path));
  return new Refusal(t('{0} is for {1}, which does not exist.', path, name), [
    { title: t('Create Agent'), run: () => vscode.commands.executeCommand('agentStack.createAgent', { name }) },
  ]);
}

async function agentAt(services: Services & WithPreviews, uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const isAgent = (await fileAt(services, uri))?.identity?.kind === 'agent';
  return isAgent ? uri : (await payloadFile(services, uri))?.agent;
}
