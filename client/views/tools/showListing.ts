import * as vscode from 'vscode';
import { pointerOf } from '../../../core/json.js';
import { locate } from '../../../core/jsonText/locate.js';
import type { ProjectListing } from '../../../core/tools/mcp/listProjectTools.js';
import { type LockState, pinnedTools } from '../../../core/tools/mcp/lock.js';
import { shorten } from '../../../core/words.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { showToolDifference } from './toolDifference.js';

/** Reports what servers listed, and offers to open it. */
export async function showListing(services: Services, folder: ProjectFolder, listing: ProjectListing): Promise<void> {
  const { t } = vscode.l10n;
  const show = t('Show Tools');
  const difference = t('Show Tool Difference');
  const log = t('Show Log');
  const failed = listing.servers.filter(({ failure }) => failure !== undefined);
  const states = listing.servers.flatMap(({ tools }) => [...tools.values()]);
  const changed = states.filter((state) => state === 'changed' || state === 'gone').length;
  const isPartial = listing.servers.some(({ warnings }) => warnings.length > 0);
  const counts = [
    t('{0} tools listed, {1} new, {2} changed.', states.length, states.filter((state) => state === 'new').length, changed),
    ...(isPartial ? [t('Some are left out; the log says why.')] : []),
  ].join(' ');
  const chosen =
    failed.length > 0
      ? await vscode.window.showErrorMessage(
          failed.map(({ failure }) => failure?.message ?? '').join(' '),
          log,
          ...(states.length > 0 ? [show] : []),
        )
      : changed > 0
        ? await vscode.window.showWarningMessage(`${counts} ${t('A run with a changed tool does not start.')}`, difference, show)
        : await vscode.window.showInformationMessage(counts, show, ...(isPartial ? [log] : []));
  if (chosen === log) services.log.show();
  if (chosen === difference) await showToolDifference(services, changed === 1 ? changedTool(folder, listing) : undefined);
  if (chosen === show) await pickTool(services, folder, listing);
}

function changedTool({ root }: ProjectFolder, { servers }: ProjectListing) {
  for (const { client_id: server, tools } of servers) {
    for (const [tool, state] of tools) if (state === 'changed' || state === 'gone') return { root, server, tool };
  }
  return undefined;
}

/** All tools of a listing; the chosen one is shown in the lock, or with its changes. */
async function pickTool(services: Services, folder: ProjectFolder, { servers, lock, path }: ProjectListing): Promise<void> {
  type Item = vscode.QuickPickItem & { readonly server: string; readonly tool: string; readonly state?: LockState };
  const items = servers.flatMap(({ client_id: server, tools }): Item[] => [
    { label: server, kind: vscode.QuickPickItemKind.Separator, server, tool: '' },
    ...[...tools].map(([tool, state]) => ({
      label: tool,
      description: stateWord(state),
      detail: oneLine(pinnedTools(lock, server)?.get(tool)?.description ?? ''),
      server,
      tool,
      state,
    })),
  ]);
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Tools of {0}', servers.map(({ client_id }) => client_id).join(', ')),
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  const { server, tool, state } = chosen;
  if (state === 'changed' || state === 'gone') {
    await showToolDifference(services, { root: folder.root, server, tool });
    return;
  }
  const document = await vscode.workspace.openTextDocument(folder.uriOf(path));
  const pointer = pointerOf('servers', server, 'tools', tool);
  const at = document.positionAt(locate(document.getText(), [pointer]).get(pointer)?.key?.start ?? 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

function stateWord(state: LockState): string {
  switch (state) {
    case 'new':
      return vscode.l10n.t('new');
    case 'changed':
      return vscode.l10n.t('changed');
    case 'gone':
      return vscode.l10n.t('no longer listed');
    case 'unchanged':
      return '';
  }
}

function oneLine(text: string): string {
  return shorten(text.slice(0, 400).replaceAll(/\s+/g, ' ').trim(), 160);
}
