import * as vscode from 'vscode';
import { addMcpServer } from '../../../core/config/mcpServers.js';
import { pathOf } from '../../../core/config/paths.js';
import { isObject, pointerOf } from '../../../core/json.js';
import { findText } from '../../../core/jsonText/findText.js';
import { locate } from '../../../core/jsonText/locate.js';
import { askName } from '../../askName.js';
import { givenName, newPlace } from '../../newPlace.js';
import { replaceText } from '../../ports/replaceText.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';

/** Adds a server to mcp.json, which is created if it does not exist, and opens it there. A program gives `{name, command}` or `{name, url}`. */
export async function createMcpServer(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const { folder, files, index } = await newPlace(services, target);
  const path = pathOf('mcp', 'mcp', index.settings);
  const uri = folder.uriOf(path);
  const servers = index.value('mcp', 'mcp')?.servers;
  const names = isObject(servers) ? Object.keys(servers) : [];
  const title = t('Create MCP Server');
  const taken = (id: string) => (names.includes(id) ? t('The server {0} already exists.', id) : undefined);
  const name = await askName({ title, prompt: t('Its id, by which agents name it'), placeHolder: 'github', taken }, givenName(target));
  const reached = name === undefined ? undefined : (givenServer(target) ?? (await askServer(title)));
  if (name === undefined || reached === undefined) return undefined;
  const before = await findText(files, path);
  const text = addMcpServer(before, name, reached);
  if (text === undefined) {
    throw new Refusal(t('Expected a JSON object with `servers` in {0}. Repair it first.', path), [
      { title: t('Open File'), run: () => vscode.window.showTextDocument(uri) },
    ]);
  }
  if (before === undefined) await files.writeText(path, text, { exclusive: true });
  else await replaceText(uri, text);
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.positionAt(locate(text, [pointerOf('servers', name)]).get(pointerOf('servers', name))?.key?.start ?? 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
  return uri;
}

type Server =
  | { readonly type: 'stdio'; readonly command: string; readonly args: string[] }
  | { readonly type: 'http'; readonly url: string };

async function askServer(title: string): Promise<Server | undefined> {
  const { t } = vscode.l10n;
  const entered = await vscode.window.showInputBox({
    title,
    prompt: t('Its command with arguments, or its address'),
    placeHolder: 'npx -y @modelcontextprotocol/server-filesystem .',
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? t('A command or an address is needed.') : undefined),
  });
  return entered === undefined ? undefined : toServer(entered.trim());
}

function toServer(entered: string): Server {
  if (/^https?:\/\//.test(entered)) return { type: 'http', url: entered };
  const [command = '', ...args] = entered.split(/\s+/);
  return { type: 'stdio', command, args };
}

function givenServer(target: unknown): Server | undefined {
  if (typeof target !== 'object' || target === null) return undefined;
  const { command, url } = target as { readonly command?: unknown; readonly url?: unknown };
  const entered = command ?? url;
  return typeof entered === 'string' ? toServer(entered) : undefined;
}
