import * as vscode from 'vscode';
import type { ProjectFolder } from '../projects.js';
import { Refusal } from '../refusal.js';
import { columnBeside } from './columns.js';
import type { FilesToPage, LinksFromPage } from './linkMessages.js';
import type { Handlers } from './messages.js';
import { findNamedFiles } from './namedFiles.js';

interface LinksOptions {
  readonly folder: () => ProjectFolder;
  readonly page: () => { readonly column: vscode.ViewColumn | undefined; send(message: FilesToPage): void };
}

/** Opens what texts of a model link to. A model may write anything, so each link is checked again when it is opened. */
export function handleLinks({ folder, page }: LinksOptions): Handlers<LinksFromPage> {
  const workspace = () => vscode.workspace.getWorkspaceFolder(folder().uri)?.uri ?? folder().uri;
  const find = (names: readonly string[]) => findNamedFiles({ project: folder().root, workspace: workspace().fsPath }, names);
  return {
    /** An address that leads into the web: VS Code asks first, unless the user trusts the domain. */
    async openLink({ address }) {
      if (/^(?:https?|mailto):/i.test(address)) await vscode.env.openExternal(vscode.Uri.parse(address, true));
    },
    async findFiles({ names }) {
      page().send({ type: 'files', names, files: [...(await find(names)).keys()] });
    },
    async openFile({ name, line, column }) {
      const path = (await find([name])).get(name);
      if (path === undefined) throw new Refusal(vscode.l10n.t('{0} is not a file of this workspace.', name));
      const uri = vscode.Uri.joinPath(workspace(), path);
      const place = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
      const { column: viewColumn } = columnBeside(uri, page().column);
      // It may be a picture, which has no text to select.
      await vscode.commands.executeCommand('vscode.open', uri, {
        viewColumn,
        ...(line > 0 && { selection: new vscode.Range(place, place) }),
      });
    },
  };
}
