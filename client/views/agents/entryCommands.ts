import * as vscode from 'vscode';
import { Refusal } from '../../commands/refusal.js';
import type { WithServer } from '../../language/languageServer.js';
import { entriesMeant } from './entries/entry.js';
import type { AgentsNode } from './nodes.js';

/** What can be done with the entries of the view. */
export type EntryAction = 'renameEntry' | 'duplicateEntry' | 'deleteEntry' | 'revealEntry';

/**
 * Does an action with the entries that its command is called for: those of a menu, or those selected when a key is pressed.
 *
 * @param more the selection from a menu; a name, from a program, in place of an answer
 */
export async function doWithEntry(
  action: EntryAction,
  { server }: WithServer,
  selection: readonly AgentsNode[],
  clicked: unknown,
  more: unknown,
): Promise<void> {
  const entries = entriesMeant(clicked, action === 'deleteEntry' ? more : undefined, selection);
  const [entry] = entries;
  const name = typeof more === 'string' ? more : undefined;
  if (entry === undefined) throw new Refusal(vscode.l10n.t('Select something in the view Agents first.'));
  switch (action) {
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
