import * as vscode from 'vscode';
import { pathOf } from '../../../core/config/paths.js';
import { readCases } from '../../../core/eval/readCases.js';
import { isObject, type JsonObject } from '../../../core/json.js';
import { openEditorProject } from '../../editorProject.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { refuseUnsaved } from './checkedRun.js';

/**
 * The input that a payload file of an agent or an orchestration holds.
 *
 * @param again runs it, when files have been saved; default: Run Agent with this payload
 * @throws Refusal when it holds none, or is not saved; FileProblem
 */
export async function readCase(
  services: Services,
  folder: ProjectFolder,
  owner: string,
  name: string,
  again?: () => unknown,
): Promise<JsonObject> {
  const project = await openEditorProject(services, folder, 'disk');
  const { settings } = await project.index();
  const path = pathOf('payload', `${owner}/${name}`, settings);
  const uri = folder.uriOf(path);
  refuseUnsaved(
    folder,
    (unsavedPath) => unsavedPath === path,
    again ?? (() => vscode.commands.executeCommand('agentStack.runAgent', { uri })),
  );
  const value = parse(await project.ports.files.readText(path));
  const isSet = isObject(value) && Array.isArray(value.cases);
  const [only] = isObject(value) && !isSet ? readCases(name, value) : [];
  const [first, ...others] = only?.turns ?? [];
  if (first !== undefined && others.length === 0) return first.input;
  const show = { title: vscode.l10n.t('Show'), run: () => vscode.window.showTextDocument(uri) };
  const refusal = isSet
    ? vscode.l10n.t(
        '{0} is a data set, and a run takes one case. Copy one to a file of its own, or ask them all with {1}.',
        path,
        'agent-stack eval',
      )
    : others.length > 0
      ? vscode.l10n.t('{0} is a conversation, and a run asks once. Ask all of it with {1}.', path, 'agent-stack eval')
      : vscode.l10n.t('{0} holds no input: expected {1}.', path, '{ "input": { ... } }');
  throw new Refusal(refusal, [show]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
