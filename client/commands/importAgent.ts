import * as vscode from 'vscode';
import { ImportError } from '../../core/import/importError.js';
import { planImport } from '../../core/import/planImport.js';
import type { ImportPlan } from '../../core/import/types.js';
import { readInventory } from '../../core/inventory/readInventory.js';
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
import { confirmImport } from './confirmImport.js';

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
  const source = givenTarget?.source ?? (target instanceof vscode.Uri ? target : await pickSource(target === 'found'));
  if (source === undefined) return undefined;
  const place = await newPlace(services, undefined);
  const plan = await freePlan(place, source, givenTarget);
  if (plan === undefined) return undefined;
  const count = plan.files.filter(({ action }) => action !== 'same').length;
  if (count === 0) {
    void vscode.window.showInformationMessage(t('Everything in {0} has been imported already.', vscode.workspace.asRelativePath(source)));
    return undefined;
  }
  if (givenTarget === undefined && !(await confirmImport(place.folder, plan, vscode.workspace.asRelativePath(source), count)))
    return undefined;
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

/** What other tools have in the workspace that can be imported: a folder for the agents in it, else a file. */
async function findSources(): Promise<readonly { readonly label: string; readonly detail: string; readonly uri: vscode.Uri }[]> {
  const canImport = new Set(importers.map(({ id }) => id));
  const found = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(async ({ uri }) => {
      const { files } = await readInventory(createNodeFiles(uri.fsPath));
      const bySource = new Map<string, string[]>();
      for (const { tool, path, kind, facts } of files) {
        if (!canImport.has(tool) && facts.servers === undefined) continue;
        const agents = facts.agents?.length ?? 0;
        if (agents + (facts.servers?.length ?? 0) === 0) continue;
        const isInFolder = agents > 0 && kind.words !== undefined && path.includes('/');
        const source = isInFolder ? path.slice(0, path.lastIndexOf('/')) : path;
        bySource.set(source, [...(bySource.get(source) ?? []), kind.words?.[0] ?? 'MCP']);
      }
      return [...bySource].map(([source, kinds]) => ({
        label: source,
        detail: `${[...new Set(kinds)].join(', ')} (${kinds.length})`,
        uri: vscode.Uri.joinPath(uri, source),
      }));
    });
  return (await Promise.all(found)).flat();
}

const examplesOf = (kind: 'file' | 'folder') => importers.flatMap(({ example }) => example?.[kind] ?? []).join(', ');

/** @param takesOnly whether the only source in the workspace is taken without a question */
async function pickSource(takesOnly: boolean): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const home = vscode.workspace.workspaceFolders?.[0]?.uri;
  const sources = await findSources();
  const [only] = sources;
  if (takesOnly && only !== undefined && sources.length === 1) return only.uri;
  // Only macOS has one dialog for both.
  const kind = await vscode.window.showQuickPick(
    [
      ...sources.map((found) => ({ ...found, isFolder: false })),
      { label: t('File...'), detail: examplesOf('file'), isFolder: false, uri: undefined },
      { label: t('Folder...'), detail: examplesOf('folder'), isFolder: true, uri: undefined },
    ],
    { title: t('Import Agent'), placeHolder: t('What holds the agents of the other tool?') },
  );
  if (kind === undefined || kind.uri !== undefined) return kind?.uri;
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
