import * as vscode from 'vscode';
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
 * The tool that a command means: `{server, tool}` with the `uri` of a file of its project (a quick fix) or its `root`, a document that shows one, else one of those that have
 * changed, chosen from a list. @throws Refusal when none has changed
 */
export async function chosenTool(services: Services, argument: unknown): Promise<ChosenTool | undefined> {
  if (argument instanceof vscode.Uri) {
    const inEditor = toolOf(argument);
    const folder = inEditor && (await services.projects.find(inEditor.root));
    if (inEditor !== undefined && folder !== undefined) return { folder, server: inEditor.server, tool: inEditor.tool };
  }
  const toolOfArgument = namedTool(argument);
  const folder = await projectOf(services, toolOfArgument);
  if (folder === undefined) return undefined;
  if (toolOfArgument !== undefined) return { folder, server: toolOfArgument.server, tool: toolOfArgument.tool };
  return pickChanged(folder);
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
