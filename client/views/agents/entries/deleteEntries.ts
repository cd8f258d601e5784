import * as vscode from 'vscode';
import { removeMcpServers } from '../../../../core/config/mcpServers.js';
import { isThere } from '../../../isThere.js';
import { replaceText } from '../../../ports/replaceText.js';
import { Refusal } from '../../../refusal.js';
import { discard } from '../../discard.js';
import { type Entry, spokenName } from './entry.js';
import { foldersOf } from './places.js';
import { filesThatName } from './references.js';

/** The question names up to this many files, and counts the others. */
const mostNamed = 8;

/** Deletes entries after asking, into the trash if there is one. The question says which files refer to them. */
export async function deleteEntries(entries: readonly Entry[]): Promise<void> {
  const { t } = vscode.l10n;
  const [first] = entries;
  if (first === undefined) return;
  const system = entries.find(({ kind }) => kind === 'system');
  if (system !== undefined)
    throw new Refusal(t('system.json belongs to the whole project. Delete it in the Explorer.'), [
      { title: t('Show in Explorer'), run: () => vscode.commands.executeCommand('revealInExplorer', system.uri) },
    ]);
  const uris = distinct(entries.flatMap(foldersOf));
  const question = entries.length === 1 ? t('Delete {0}?', spokenName(first)) : t('Delete {0} items of the project?', entries.length);
  const detail = [...contentOf(entries), ...naming(await filesThatName(entries, uris))].join('\n');
  const button = t('Delete');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) !== button) return;
  await removeServers(entries);
  await discard(uris);
  await closeTabs(uris);
}

/** What is deleted, for the question: the names of several entries, and the versions and payloads that go with one. */
function contentOf(entries: readonly Entry[]): readonly string[] {
  const { t } = vscode.l10n;
  const names = entries.length > 1 ? entries.map(spokenName) : [];
  const listed = names.length <= mostNamed ? names : [...names.slice(0, mostNamed), t('and {0} more', names.length - mostNamed)];
  const parts = entries.flatMap((entry) => {
    if (entry.kind === 'agent') return [t('{0}: versions {1}, payloads {2}', entry.agent_name, entry.versionCount, entry.payloadCount)];
    if (entry.kind === 'orchestration' && entry.payloadCount > 0) return [t('{0}: payloads {1}', entry.name, entry.payloadCount)];
    return entry.kind === 'prompt' ? [t('{0}: versions {1}', entry.name, entry.versionCount)] : [];
  });
  return [...listed, ...parts];
}

function naming(files: readonly string[]): readonly string[] {
  const { t } = vscode.l10n;
  if (files.length === 0) return [t('No file refers to it.')];
  const listed = files.slice(0, mostNamed);
  const more = files.length > mostNamed ? [t('and {0} more', files.length - mostNamed)] : [];
  return [t('These files refer to it, and will have errors:'), ...listed, ...more];
}

/** Several servers of one mcp.json go in one edit, which can be undone. */
async function removeServers(entries: readonly Entry[]): Promise<void> {
  const byFile = new Map<string, { readonly uri: vscode.Uri; readonly names: string[] }>();
  for (const entry of entries) {
    if (entry.kind !== 'mcpServer') continue;
    const inFile = byFile.get(entry.uri.toString()) ?? { uri: entry.uri, names: [] };
    inFile.names.push(entry.name);
    byFile.set(entry.uri.toString(), inFile);
  }
  for (const { uri, names } of byFile.values()) {
    const text = removeMcpServers((await vscode.workspace.openTextDocument(uri)).getText(), names);
    if (text === undefined) throw new Refusal(vscode.l10n.t('{0} has changed. Look at it again.', vscode.workspace.asRelativePath(uri)));
    await replaceText(uri, text);
  }
}

/** A version whose agent is deleted too goes with it. */
function distinct(uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  return uris.filter(
    (uri, at) => !uris.some((other, index) => (uri.path === other.path ? index < at : uri.path.startsWith(`${other.path}/`))),
  );
}

/** Editors of files that are gone, unless something in them is not saved. */
async function closeTabs(uris: readonly vscode.Uri[]): Promise<void> {
  const isGone = ({ path, scheme }: vscode.Uri) =>
    scheme === 'file' && uris.some((uri) => path === uri.path || path.startsWith(`${uri.path}/`));
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const gone = tabs.filter(({ input, isDirty }) => !isDirty && input instanceof vscode.TabInputText && isGone(input.uri));
  const still = await Promise.all(gone.map(async (tab) => ((await isThere((tab.input as vscode.TabInputText).uri)) ? [] : [tab])));
  await vscode.window.tabGroups.close(still.flat());
}
