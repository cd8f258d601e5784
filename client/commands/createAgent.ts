import * as vscode from 'vscode';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { namePattern } from '../../core/kinds.js';
import type { Mode } from '../../core/snapshot/effective.js';
import { agentNamedLike, newAgentFiles } from '../../core/snapshot/newAgentFiles.js';
import { createEditorFiles } from '../ports/editorFiles.js';
import { ProjectFolder } from '../projects.js';
import type { Services } from '../services.js';
import { pickProject } from './pickProject.js';
import { Refusal } from './refusal.js';

/** Makes a new agent that is valid and can run at once, as `agentstack new agent` does, and opens it. */
export async function createAgent(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const folder = (await pickProject(services, target)) ?? (await folderToFill());
  const files = createEditorFiles(folder);
  const index = await loadProjectIndex(files);
  const validate = (name: string) => {
    if (!namePattern.test(name)) return vscode.l10n.t('Letters, digits, ".", "_" and "-", beginning with a letter or digit, at most 64.');
    const taken = agentNamedLike(index, name);
    return taken && vscode.l10n.t('There is an agent {0} already.', taken.name);
  };
  const given = namesAgent(target) ? target : undefined;
  const name = given?.name ?? (await askForName(validate));
  if (name === undefined) return undefined;
  const fault = validate(name);
  if (fault !== undefined) throw new Refusal(fault);
  const mode = given?.mode ?? (await askForMode());
  if (mode === undefined) return undefined;
  const created = newAgentFiles(index, name, mode);
  for (const { path, text } of created) await files.writeText(path, text, { exclusive: true });
  const uri = folder.uriOf(created[0].path);
  await vscode.window.showTextDocument(uri);
  return uri;
}

function askForName(validateInput: (name: string) => string | undefined): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Create Agent (1 of 2)'),
    prompt: vscode.l10n.t('Name of the agent'),
    placeHolder: 'TicketRouter',
    validateInput,
  });
}

async function askForMode(): Promise<Mode | undefined> {
  const { t } = vscode.l10n;
  const modes: (vscode.QuickPickItem & { readonly label: Mode })[] = [
    { label: 'Chooser', detail: t('Chooses one of the allowed values for each field.'), iconPath: new vscode.ThemeIcon('list-selection') },
    { label: 'Writer', detail: t('Writes a text for each field.'), iconPath: new vscode.ThemeIcon('edit') },
    {
      label: 'Extractor',
      detail: t('Finds facts in the input, and leaves empty what it does not say.'),
      iconPath: new vscode.ThemeIcon('search'),
    },
  ];
  const options = { title: t('Create Agent (2 of 2)'), placeHolder: t('What does the agent do with its fields?') };
  return (await vscode.window.showQuickPick(modes, options))?.label;
}

/** The folder in which a first project begins. */
async function folderToFill(): Promise<ProjectFolder> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const [first] = folders;
  if (first === undefined) {
    throw new Refusal(vscode.l10n.t('Open a folder first: agents are files in it.'), [
      { title: vscode.l10n.t('Open Folder'), run: () => vscode.commands.executeCommand('vscode.openFolder') },
      { title: vscode.l10n.t('Open Sample'), run: () => vscode.commands.executeCommand('agentStack.openSample') },
    ]);
  }
  const chosen = folders.length === 1 ? first : await vscode.window.showWorkspaceFolderPick();
  if (chosen === undefined) throw new vscode.CancellationError();
  return new ProjectFolder(chosen.uri.fsPath);
}

/** What a program gives instead of answering questions. */
function namesAgent(target: unknown): target is { readonly name: string; readonly mode: Mode } {
  if (typeof target !== 'object' || target === null || !('name' in target) || !('mode' in target)) return false;
  return typeof target.name === 'string' && ['Chooser', 'Writer', 'Extractor'].includes(String(target.mode));
}
