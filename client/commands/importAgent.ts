import * as vscode from 'vscode';
import { ImportError } from '../../core/import/importError.js';
import { planImport } from '../../core/import/planImport.js';
import type { ImportPlan } from '../../core/import/types.js';
import { importPlace } from '../../core/node/importPlace.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import { tidyTemporaries } from '../../core/node/temporaryFiles.js';
import { importers } from '../../core/otherTools/index.js';
import { findTakenName } from '../../core/scaffold/findTakenName.js';
import { writeNewFiles } from '../../core/scaffold/newFile.js';
import { askName } from '../askName.js';
import { type NewPlace, newPlace } from '../newPlace.js';
import { replaceText } from '../ports/replaceText.js';
import { Refusal } from '../refusal.js';
import type { Services } from '../services.js';

/** What a program passes instead of answering questions: then nothing is shown before it is written. */
interface GivenImport {
  readonly source: vscode.Uri;
  readonly from?: string;
  readonly name?: string;
}

/**
 * Converts agent files of another tool to files of a project, as `agent-stack import` does: shows what would be written and what differs, writes
 * it when that is confirmed, and opens the first agent.
 */
export async function importAgent(services: Services, target?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const givenTarget = givenImport(target);
  const source = givenTarget?.source ?? (target instanceof vscode.Uri ? target : await pickSource());
  if (source === undefined) return undefined;
  const place = await newPlace(services, undefined);
  const plan = await freePlan(place, source, givenTarget);
  if (plan === undefined) return undefined;
  const count = plan.files.filter(({ action }) => action !== 'same').length;
  if (count === 0) {
    void vscode.window.showInformationMessage(t('Everything in {0} has been imported already.', vscode.workspace.asRelativePath(source)));
    return undefined;
  }
  if (givenTarget === undefined && !(await confirm(plan, source, count))) return undefined;
  await write(place, plan);
  const first = plan.files.find(({ action }) => action !== 'same') ?? plan.files[0];
  if (first === undefined) return undefined;
  const uri = place.folder.uriOf(first.path);
  await vscode.window.showTextDocument(uri);
  return uri;
}

/** @returns undefined when the user gives up */
async function freePlan(place: NewPlace, source: vscode.Uri, givenTarget: GivenImport | undefined): Promise<ImportPlan | undefined> {
  const { t } = vscode.l10n;
  let { from, name } = givenTarget ?? {};
  for (;;) {
    try {
      const plan = await planOf(place, source, from, name);
      if (plan.obstacles.length === 0) return plan;
      const agents = plan.files.filter(({ path }) => /\/agents\/[^/]+\/[^/]+\.json$/.test(path));
      if (givenTarget !== undefined || name !== undefined || agents.length !== 1)
        throw new Refusal(t('Nothing was written. {0}', plan.obstacles.join(' ')));
      const taken = (entered: string) => {
        const other = findTakenName(place.index, 'agent', entered);
        return other && t('The agent {0} already exists.', other.name);
      };
      name = await askName(
        { title: t('Import Agent'), prompt: t('Another name: {0}', plan.obstacles[0] ?? ''), placeHolder: 'TicketRouter', taken },
        undefined,
      );
      if (name === undefined) return undefined;
    } catch (error) {
      if (!(error instanceof ImportError) || error.choices.length === 0 || givenTarget !== undefined) throw error;
      const items = importers
        .filter(({ id }) => error.choices.includes(id))
        .map(({ id, what, shape }) => ({ label: what, detail: shape, id }));
      from = (await vscode.window.showQuickPick(items, { title: t('Import Agent'), placeHolder: t('Which tool is it from?') }))?.id;
      if (from === undefined) return undefined;
    }
  }
}

async function planOf(place: NewPlace, source: vscode.Uri, from: string | undefined, name: string | undefined): Promise<ImportPlan> {
  const { t } = vscode.l10n;
  const importedTo = importPlace(source.fsPath);
  if (importedTo === undefined) throw new Refusal(t('There is no file {0}.', source.fsPath));
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: t('Reading agents...') }, () =>
    planImport({
      files: createNodeFiles(importedTo.folder),
      entry: importedTo.entry,
      from,
      name,
      project: place.files,
      index: place.index,
      variables: createNodeEnvironment(),
    }),
  );
}

const examplesOf = (kind: 'file' | 'folder') => importers.flatMap(({ example }) => example?.[kind] ?? []).join(', ');

async function pickSource(): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const home = vscode.workspace.workspaceFolders?.[0]?.uri;
  // Only macOS has one dialog for both.
  const kind = await vscode.window.showQuickPick(
    [
      { label: t('File...'), detail: examplesOf('file'), isFolder: false },
      { label: t('Folder...'), detail: examplesOf('folder'), isFolder: true },
    ],
    { title: t('Import Agent'), placeHolder: t('What holds the agents of the other tool?') },
  );
  if (kind === undefined) return undefined;
  const [uri] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: !kind.isFolder,
      canSelectFolders: kind.isFolder,
      title: t('Import Agent'),
      openLabel: t('Import'),
      ...(home !== undefined && { defaultUri: home }),
    })) ?? [];
  return uri;
}

const scheme = 'agent-stack-import';

/** Shows the plan as a page beside the question. */
async function confirm(plan: ImportPlan, source: vscode.Uri, count: number): Promise<boolean> {
  const { t } = vscode.l10n;
  const uri = vscode.Uri.from({ scheme, path: `/${t('Import')}.md` });
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: () => importPage(plan) });
  try {
    await vscode.window.showTextDocument(uri, { preview: true });
    const name = vscode.workspace.asRelativePath(source);
    const question = count === 1 ? t('Write 1 file from {0}?', name) : t('Write {0} files from {1}?', count, name);
    const yes = t('Import');
    const isConfirmed = (await vscode.window.showInformationMessage(question, yes, t('Cancel'))) === yes;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const schemeTabs = tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === scheme);
    await vscode.window.tabGroups.close(schemeTabs);
    return isConfirmed;
  } finally {
    provider.dispose();
  }
}

/** What others refer to first, the first agent last; a change is an edit of the document, which may have unsaved changes. */
async function write({ folder, files, index }: NewPlace, plan: ImportPlan): Promise<void> {
  tidyTemporaries(folder.root, index.settings.config_dir);
  for (const { path, text, action } of plan.files) if (action === 'change') await replaceText(folder.uriOf(path), text);
  await writeNewFiles(
    files,
    plan.files.filter(({ action }) => action === 'create'),
  );
}

function givenImport(target: unknown): GivenImport | undefined {
  if (typeof target !== 'object' || target === null || !('source' in target) || !(target.source instanceof vscode.Uri)) return undefined;
  const { source, from, name } = target as { source: vscode.Uri; from?: unknown; name?: unknown };
  return { source, ...(typeof from === 'string' && { from }), ...(typeof name === 'string' && { name }) };
}

/** What an import would write, what is different from the source, and what `check` finds, as Markdown. */
function importPage({ sources, files, notes, findings }: ImportPlan): string {
  const { t } = vscode.l10n;
  const words = { create: t('new'), change: t('servers are added'), same: t('already exists') };
  const parts = [
    [`# ${t('Import')}`, ...sources.map(({ file, what }) => `- ${plain(file)}: ${what}`)],
    [`## ${t('Files')}`, ...files.map(({ path, action }) => `- ${plain(path)} (${words[action]})`)],
    [
      `## ${t('Differences from the source')}`,
      ...(notes.length === 0
        ? [t('None.')]
        : notes.map(({ file, line, column, message }) => `- ${plain(file)}:${line}:${column} ${plain(message)}`)),
    ],
    ...(findings.length === 0
      ? []
      : [
          [
            `## ${t('Findings in the files')}`,
            ...findings.map(({ file, severity, message }) => `- ${plain(file)}: ${severity}: ${plain(message)}`),
          ],
        ]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Text from files stays on its line. */
function plain(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
