import * as vscode from 'vscode';
import { parseConfigObject } from '../../../../core/config/parseConfigFile.js';
import { pointerOf, valueAt } from '../../../../core/json.js';
import { locate } from '../../../../core/jsonText/locate.js';
import { jsonTextOf } from '../../../../core/jsonText/promptText.js';
import { askName } from '../../../askName.js';
import { isThere } from '../../../isThere.js';
import type { LanguageServer } from '../../../language/languageServer.js';
import { applyMove, editForMove } from '../../../language/moveFiles.js';
import { Refusal } from '../../../refusal.js';
import { type Entry, nameOf, spokenName } from './entry.js';
import { foldersOf, movedTo } from './places.js';

/**
 * Renames an entry everywhere, as F2 does in its file. An entry whose name is only its path is moved, and the language server adds the changes in
 * other files.
 *
 * @param newName passed by a program, which answers the question
 */
export async function renameEntry(server: LanguageServer, entry: Entry, newName?: string): Promise<void> {
  const { t } = vscode.l10n;
  const before = nameOf(entry);
  const title = t('Rename {0}', spokenName(entry));
  const name = await askName({ title, prompt: t('The new name'), value: before, taken: () => undefined }, newName);
  if (name === undefined || name === before) return;
  const moves = foldersOf(entry).map((from) => ({ from, to: movedTo(entry, from, name) }));
  const refused = () => new Refusal(t('{0} could not be renamed to {1}: is there one already?', before, name));
  await server.start();
  const edit = await renamed(entry, name);
  for (const { to } of moves) if (await isThere(to)) throw refused();
  if (!(await applyMove(server, edit ?? (await editForMove(server, moves)), moves))) throw refused();
}

/** The server's rename, at the place where the file names itself; undefined where it does not, or has another name there than its path. */
async function renamed(entry: Entry, name: string): Promise<vscode.WorkspaceEdit | undefined> {
  const pointer = 'path' in entry ? pointerIn(entry) : undefined;
  if (pointer === undefined || !('path' in entry)) return undefined;
  const document = await vscode.workspace.openTextDocument(entry.uri);
  const { json: text, toFile } = jsonTextOf(entry.uri.path, document.getText());
  const isServer = entry.kind === 'mcpServer';
  const value = valueAt(parseConfigObject(text) ?? null, pointer);
  if (isServer ? value === undefined : value !== nameOf(entry)) return undefined;
  const place = locate(text, [pointer]).get(pointer);
  const start = isServer ? place?.key?.start : place?.value.start;
  if (start === undefined) return undefined;
  try {
    return await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      entry.uri,
      document.positionAt(toFile(start + 1)),
      name,
    );
  } catch (error) {
    // The server's own words say what to do.
    throw new Refusal(error instanceof Error ? error.message : String(error));
  }
}

function pointerIn(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'agent':
      return '/agent_name';
    case 'agentVersion':
    case 'promptVersion':
      return '/version';
    case 'prompt':
    case 'orchestration':
      return '/name';
    case 'llm':
      return '/llm_id';
    case 'mcpServer':
      return pointerOf('servers', entry.name);
    default:
      return undefined;
  }
}
