import * as vscode from 'vscode';
import { claimWords, labelWords } from '../../../core/config/toolLabels.js';
import type { ToolLabels } from '../../../core/generated/types.js';
import { labelTools } from '../../../core/tools/mcp/labelTools.js';
import { pinnedTools } from '../../../core/tools/mcp/lock.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { readProjectLock } from './projectLock.js';
import { chosenTool, pickPinned } from './toolArgument.js';

/**
 * Asks what a tool of a server does, and writes it into the lock. Undefined if the user cancels.
 *
 * @throws Refusal for a tool that has changed since it was pinned, and where no tool is pinned
 */
export async function labelTool(services: Services, argument?: unknown): Promise<ToolLabels | undefined> {
  const location = await chosenTool(services, argument, pickPinned);
  if (location === undefined) return undefined;
  const { folder, server, tool } = location;
  const { lock, path, files } = await readProjectLock(folder);
  const pinned = pinnedTools(lock, server)?.get(tool);
  if (pinned === undefined) throw new Refusal(vscode.l10n.t('{0} of {1} is not pinned.', tool, server));
  if (pinned.changed !== undefined)
    throw new Refusal(vscode.l10n.t('{0} of {1} has changed since it was pinned. Accept the change first.', tool, server), [
      {
        title: vscode.l10n.t('Show Tool Difference'),
        run: () => vscode.commands.executeCommand('agentStack.showToolDifference', { root: folder.root, server, tool }),
      },
    ]);
  const claims = pinned.annotations && claimWords(pinned.annotations);
  const chosen = await vscode.window.showQuickPick(itemsFor(pinned.labels), {
    title: vscode.l10n.t('What {0} of {1} does', tool, server),
    placeHolder:
      claims === undefined
        ? vscode.l10n.t('Choose all that apply, or nothing for a tool that does none of this')
        : vscode.l10n.t('Choose all that apply. The server claims: {0}', claims),
    canPickMany: true,
  });
  if (chosen === undefined) return undefined;
  const labels: ToolLabels = Object.assign({}, ...chosen.map((item) => item.labels));
  const text = await files.readText(path);
  const after = labelTools(text, [{ client_id: server, tool, labels }]);
  if (after !== text) await files.writeText(path, after);
  return labels;
}

type Item = vscode.QuickPickItem & { readonly labels: ToolLabels };

/** Where both kinds of reading are chosen, what only some may see counts: it comes later. */
function itemsFor(labels: ToolLabels = {}): readonly Item[] {
  const items: readonly (readonly [ToolLabels, string])[] = [
    [{ reads: 'public' }, vscode.l10n.t('reads what anybody may read')],
    [{ reads: 'private' }, vscode.l10n.t('reads what only some may see, such as files, mail or a database')],
    [{ untrusted: true }, vscode.l10n.t('answers with what strangers wrote, such as web pages, incoming mail and issues')],
    [{ sends: true }, vscode.l10n.t('sends what it is given out of this machine or organisation')],
    [{ changes: true }, vscode.l10n.t('changes something outside of the run')],
    [{ destroys: true }, vscode.l10n.t('deletes or overwrites what cannot be restored')],
    [{ runs_code: true }, vscode.l10n.t('runs code or commands that its input contains')],
  ];
  return items.map(([label, description]) => ({
    label: labelWords(label),
    description,
    picked: Object.entries(label).every(([name, value]) => labels[name as keyof ToolLabels] === value),
    labels: label,
  }));
}
