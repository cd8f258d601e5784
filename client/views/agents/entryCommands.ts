import * as vscode from 'vscode';
import type { WithServer } from '../../language/languageServer.js';
import { Refusal } from '../../refusal.js';
import { canRun } from '../run/runArgument.js';
import { selectFocused } from '../selectFocused.js';
import { type Entry, entriesToChange } from './entries/entry.js';
import type { AgentsNode } from './nodes.js';

/** The actions on entries of the view. */
export type EntryAction = 'runEntry' | 'previewEntry' | 'renameEntry' | 'duplicateEntry' | 'deleteEntry' | 'revealEntry';

/** What a key binding of the view passes to its command instead of an entry. */
const byKey = 'key';

/**
 * Performs an action on the entries that its command is called for: those of a menu, or those that a key acts on.
 *
 * @param more the selection from a menu; from a program a name, which answers the question
 */
export async function doWithEntry(
  action: EntryAction,
  { server }: WithServer,
  view: vscode.TreeView<AgentsNode>,
  clicked: unknown,
  more: unknown,
): Promise<void> {
  const selection = clicked === byKey ? await selectFocused(view) : view.selection;
  const entries = entriesToChange(clicked, action === 'deleteEntry' ? more : undefined, selection);
  const [entry] = entries;
  const name = typeof more === 'string' ? more : undefined;
  // On a heading a key does nothing.
  if (entry === undefined && clicked === byKey) return;
  if (entry === undefined) throw new Refusal(vscode.l10n.t('Select something in the view Agents first.'));
  switch (action) {
    case 'runEntry':
      await runEntries(entries);
      return;
    case 'previewEntry':
      await previewEntry(entry);
      return;
    case 'renameEntry':
      if (entry.kind !== 'system') await (await import('./entries/renameEntry.js')).renameEntry(server, entry, name);
      return;
    case 'duplicateEntry': {
      const { canBeCopied, duplicateEntry } = await import('./entries/duplicateEntry.js');
      if (canBeCopied(entry)) await duplicateEntry(entry, name);
      return;
    }
    case 'deleteEntry':
      return (await import('./entries/deleteEntries.js')).deleteEntries(entries);
    case 'revealEntry':
      await vscode.commands.executeCommand('revealInExplorer', entry.uri);
  }
}

async function runEntries(entries: readonly Entry[]): Promise<void> {
  const runnable = entries.filter(canRun);
  if (runnable.length > 0) await vscode.commands.executeCommand('agentStack.runAgent', runnable[0], runnable);
}

/** An agent or payload as a model gets it, an orchestration as a graph. */
async function previewEntry(entry: Entry): Promise<void> {
  if (!canRun(entry)) return;
  await vscode.commands.executeCommand(entry.kind === 'orchestration' ? 'agentStack.showGraph' : 'agentStack.previewPrompt', entry);
}
