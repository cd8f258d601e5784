import * as vscode from 'vscode';
import { labelWords } from '../../../core/config/toolLabels.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { readProjectLock } from './projectLock.js';
import { toolOf } from './toolUri.js';

export interface ChosenTool {
  readonly folder: ProjectFolder;
  readonly server: string;
  readonly tool: string;
}

/**
 * The tool that a command means: `{server, tool}` with the `uri` of a file of its project (a quick fix) or its `root`, a document that shows one,
 * else one chosen from a list, by default of those that have changed. @throws Refusal for an empty list
 */
export async function chosenTool(
  services: Services,
  argument: unknown,
  pick: (folder: ProjectFolder, server: string | undefined) => Promise<ChosenTool | undefined> = pickChanged,
): Promise<ChosenTool | undefined> {
  if (argument instanceof vscode.Uri) {
    const inEditor = toolOf(argument);
    const folder = inEditor && (await services.projects.find(inEditor.root));
    if (inEditor !== undefined && folder !== undefined) return { folder, server: inEditor.server, tool: inEditor.tool };
  }
  const toolOfArgument = namedTool(argument);
  const folder = await projectOf(services, toolOfArgument ?? { uri: serverNode(argument)?.uri?.toString() });
  if (folder === undefined) return undefined;
  if (toolOfArgument !== undefined) return { folder, server: toolOfArgument.server, tool: toolOfArgument.tool };
  return pick(folder, serverNode(argument)?.name);
}

/** A server in the tree of agents. */
function serverNode(argument: unknown): { readonly name: string; readonly uri?: vscode.Uri } | undefined {
  if (typeof argument !== 'object' || argument === null || !('kind' in argument) || argument.kind !== 'mcpServer') return undefined;
  return argument as unknown as { readonly name: string; readonly uri?: vscode.Uri };
}

interface NamedTool {
  readonly server: string;
  readonly tool: string;
  readonly root: string | undefined;
  readonly uri: string | undefined;
}

function namedTool(argument: unknown): NamedTool | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { server, tool, root, uri } = argument as Readonly<Record<string, unknown>>;
  if (typeof server !== 'string' || typeof tool !== 'string') return undefined;
  return { server, tool, root: typeof root === 'string' ? root : undefined, uri: typeof uri === 'string' ? uri : undefined };
}

async function projectOf(services: Services, { root, uri }: Partial<NamedTool> = {}): Promise<ProjectFolder | undefined> {
  const ownProject = uri === undefined ? undefined : services.projects.of(vscode.Uri.parse(uri));
  if (ownProject !== undefined) return ownProject;
  if (root !== undefined) return services.projects.find(root);
  const { pickProject } = await import('../../pickProject.js');
  return pickProject(services);
}

/** One of the pinned tools, of all servers or one. @throws Refusal where none is pinned */
export async function pickPinned(folder: ProjectFolder, server: string | undefined): Promise<ChosenTool | undefined> {
  const { lock } = await readProjectLock(folder);
  const items = Object.entries(lock.servers).flatMap(([id, { tools }]) =>
    server !== undefined && id !== server
      ? []
      : Object.entries(tools).map(([tool, { labels }]) => {
          const detail = labels === undefined ? vscode.l10n.t('unlabelled') : labelWords(labels);
          return { label: tool, description: id, detail, server: id, tool };
        }),
  );
  if (items.length === 0)
    throw new Refusal(vscode.l10n.t('No tools are pinned in {0} yet.', folder.name), [
      { title: vscode.l10n.t('List Tools'), run: () => vscode.commands.executeCommand('agentStack.listTools', { folder }) },
    ]);
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which tool?'), matchOnDescription: true });
  return chosen && { folder, server: chosen.server, tool: chosen.tool };
}

async function pickChanged(folder: ProjectFolder): Promise<ChosenTool | undefined> {
  const { lock } = await readProjectLock(folder);
  const changed = Object.entries(lock.servers).flatMap(([server, { tools }]) =>
    Object.entries(tools).flatMap(([tool, { changed }]) =>
      changed === undefined
        ? []
        : [{ label: tool, description: server, detail: changed === null ? vscode.l10n.t('no longer listed') : '', server, tool }],
    ),
  );
  if (changed.length === 0)
    throw new Refusal(vscode.l10n.t('No tool of {0} differs from what is pinned.', folder.name), [
      { title: vscode.l10n.t('List Tools'), run: () => vscode.commands.executeCommand('agentStack.listTools', { folder }) },
    ]);
  const chosen = await vscode.window.showQuickPick(changed, { placeHolder: vscode.l10n.t('Which tool?') });
  return chosen && { folder, server: chosen.server, tool: chosen.tool };
}
