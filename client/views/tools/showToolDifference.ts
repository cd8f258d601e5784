import * as vscode from 'vscode';
import { pinnedTools } from '../../../core/tools/mcp/lock.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { readProjectLock } from './projectLock.js';
import { meantTool } from './toolArgument.js';
import { toolUri } from './toolUri.js';

/** What a tool was when it was pinned and what its server says of it now, side by side. */
export async function showToolDifference(services: Services, argument?: unknown): Promise<void> {
  const meant = await meantTool(services, argument);
  if (meant === undefined) return;
  const { folder, server, tool } = meant;
  const { lock } = await readProjectLock(folder);
  const pinned = pinnedTools(lock, server)?.get(tool);
  if (pinned?.changed === undefined) throw new Refusal(vscode.l10n.t('{0} of {1} is what is pinned.', tool, server));
  const reference = { root: folder.root, server, tool };
  const title =
    pinned.changed === null
      ? vscode.l10n.t('{0} of {1}: pinned ↔ listed no more', tool, server)
      : vscode.l10n.t('{0} of {1}: pinned ↔ now', tool, server);
  await vscode.commands.executeCommand('vscode.diff', toolUri(reference, 'pinned'), toolUri(reference, 'changed'), title);
}
