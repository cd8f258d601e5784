import * as vscode from 'vscode';
import { pathOf } from '../../../core/config/paths.js';
import { isObject, type JsonObject } from '../../../core/json.js';
import { Refusal } from '../../commands/refusal.js';
import { openEditorProject } from '../../editorProject.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { refuseUnsaved } from './unsaved.js';

/** The input that a payload file of an agent holds. @throws Refusal when it holds none, or is not saved; FileProblem */
export async function readCase(services: Services, folder: ProjectFolder, agentName: string, name: string): Promise<JsonObject> {
  const project = await openEditorProject(services, folder, 'disk');
  const { settings } = await project.index();
  const path = pathOf('payload', `${agentName}/${name}`, settings);
  const uri = folder.uriOf(path);
  refuseUnsaved(
    folder,
    (one) => one === path,
    () => vscode.commands.executeCommand('agentStack.runAgent', { uri }),
  );
  const value = parse(await project.ports.files.readText(path));
  if (isObject(value) && isObject(value.input)) return value.input;
  throw new Refusal(vscode.l10n.t('{0} holds no input: it is meant to be {1}.', path, '{ "input": { ... } }'), [
    { title: vscode.l10n.t('Show'), run: () => vscode.window.showTextDocument(uri) },
  ]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
