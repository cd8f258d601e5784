import * as vscode from 'vscode';
import { acceptChanges, pinnedTools } from '../../../core/tools/mcp/lock.js';
import { writeLock } from '../../../core/tools/mcp/lockFile.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { readProjectLock } from './projectLock.js';
import { chosenTool } from './toolArgument.js';
import { toolOf, toolUri } from './toolUri.js';

/** The pinned tool and the one its server describes now, side by side. */
export async function showToolDifference(services: Services, argument?: unknown): Promise<void> {
  const meantLocation = await chosenTool(services, argument);
  if (meantLocation === undefined) return;
  const { folder, server, tool } = meantLocation;
  const { lock } = await readProjectLock(folder);
  const pinned = pinnedTools(lock, server)?.get(tool);
  if (pinned?.changed === undefined) throw new Refusal(vscode.l10n.t('{0} of {1} is what is pinned.', tool, server));
  const reference = { root: folder.root, server, tool };
  const title =
    pinned.changed === null
      ? vscode.l10n.t('{0} of {1}: pinned ↔ no longer listed', tool, server)
      : vscode.l10n.t('{0} of {1}: pinned ↔ now', tool, server);
  await vscode.commands.executeCommand('vscode.diff', toolUri(reference, 'pinned'), toolUri(reference, 'changed'), title);
}

/** Pins a tool as its server listed it last. Grants for its previous state have to be given again. */
export async function acceptTool(services: Services, argument?: unknown): Promise<void> {
  requireTrust();
  const meantLocation = await chosenTool(services, argument ?? vscode.window.activeTextEditor?.document.uri);
  if (meantLocation === undefined) return;
  const { folder, server, tool } = meantLocation;
  const { lock, path, files } = await readProjectLock(folder);
  if (pinnedTools(lock, server)?.get(tool)?.changed === undefined)
    throw new Refusal(vscode.l10n.t('{0} of {1} is what is pinned.', tool, server));
  await writeLock(files, path, acceptChanges(lock, server, [tool]));
  // Both sides of the difference are the same now.
  const openTabs = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      const of = input instanceof vscode.TabInputTextDiff ? toolOf(input.original) : undefined;
      return of?.root === folder.root && of.server === server && of.tool === tool;
    });
  if (openTabs.length > 0) await vscode.window.tabGroups.close(openTabs);
  void vscode.window.setStatusBarMessage(vscode.l10n.t('$(pinned) {0} of {1} is pinned as it is now.', tool, server), 5_000);
}
