import * as vscode from 'vscode';
import { placeFindings } from '../../../core/jsonText/placeFindings.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRun, runsFolder } from '../../../core/run/readRuns.js';
import { readSnapshot, snapshotPath } from '../../../core/run/readSnapshot.js';
import { schemaPlace } from '../../../core/run/schemaPlace.js';
import { objectsAt, textAt } from '../../../core/run/untrusted.js';
import { isThere } from '../../isThere.js';
import type { WithRuns } from '../../panels/run/runs.js';
import { linkOfSource } from '../../panels/run/viewEvents.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { readReference } from './reference.js';

/** Opens the file of the result of a run; without a result its events, else its input. */
export async function openRawRun(services: Services & WithRuns, argument?: unknown): Promise<void> {
  const reference = readReference(services, argument);
  if (reference === undefined) return;
  const { folder, run_id } = reference;
  for (const name of ['result.json', 'events.jsonl', 'run.json']) {
    const uri = folder.uriOf(`${runsFolder}/${run_id}/${name}`);
    if (!(await isThere(uri))) continue;
    await vscode.window.showTextDocument(uri, { viewColumn: besidePanel(services) });
    return;
  }
  throw new Refusal(vscode.l10n.t('The files of this run no longer exist.'));
}

/** Opens the frozen configuration that a run used. */
export async function showRunSnapshot(services: Services & WithRuns, argument?: unknown): Promise<void> {
  const reference = readReference(services, argument);
  if (reference === undefined) return;
  const { folder, run_id } = reference;
  const { run } = await readRun(createNodeFiles(folder.root), run_id);
  const path = snapshotPath(run_id, textAt(run, 'snapshot_hash') ?? '');
  if (path === undefined || !(await isThere(folder.uriOf(path))))
    throw new Refusal(vscode.l10n.t('The snapshot of this run no longer exists.'));
  await vscode.window.showTextDocument(folder.uriOf(path), { viewColumn: besidePanel(services) });
}

/** Selects the words of the schema that refused a value, in the file they come from. */
export async function showRunIssue(services: Services & WithRuns, argument: unknown, issue: unknown): Promise<void> {
  const reference = readReference(services, argument);
  if (reference === undefined || !isIssue(issue)) return;
  const { folder, run_id } = reference;
  const files = createNodeFiles(folder.root);
  const { run } = await readRun(files, run_id);
  const snapshot = await readSnapshot(files, run_id, textAt(run, 'snapshot_hash') ?? '');
  const place = snapshot && schemaPlace(snapshot.config, issue);
  const origin = place === undefined ? undefined : snapshot?.originOf(place);
  const uri = origin && folder.uriOf(origin.file);
  if (origin === undefined || uri === undefined || folder.pathOf(uri) === undefined) {
    throw new Refusal(vscode.l10n.t('The schema line cannot be shown: the snapshot of the run is missing.'));
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const finding = { code: 'schema', severity: 'error', message: '', file: origin.file, pointer: origin.pointer } as const;
  const [placed] = placeFindings(document.getText(), [finding]);
  const selection = placed && new vscode.Range(document.positionAt(placed.range.start), document.positionAt(placed.range.end));
  await vscode.window.showTextDocument(document, { viewColumn: besidePanel(services), ...(selection && { selection }) });
}

/** Opens a document that a run has read: a web page, or a file of the project. */
export async function showRunSource(services: Services & WithRuns, argument: unknown, id: unknown): Promise<void> {
  const reference = readReference(services, argument);
  if (reference === undefined || typeof id !== 'string') return;
  const { folder, run_id } = reference;
  const { result } = await readRun(createNodeFiles(folder.root), run_id);
  const source = objectsAt(result ?? {}, 'source_documents').find((sourceDocument) => textAt(sourceDocument, 'id') === id);
  const link = source === undefined ? null : linkOfSource(source);
  if (link !== null && /^https?:/.test(link)) {
    // VS Code asks before it opens a page of an untrusted domain.
    await vscode.env.openExternal(vscode.Uri.parse(link, true));
    return;
  }
  const uri = link === null ? undefined : folder.uriOf(link);
  if (uri === undefined || folder.pathOf(uri) === undefined || !(await isThere(uri)))
    throw new Refusal(vscode.l10n.t('{0} is not a file of this project.', id));
  await vscode.commands.executeCommand('vscode.open', uri, { viewColumn: besidePanel(services) });
}

function isIssue(value: unknown): value is { readonly path: string; readonly keyword: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'path' in value &&
    typeof value.path === 'string' &&
    'keyword' in value &&
    typeof value.keyword === 'string'
  );
}

/** Where a file is shown so that it does not cover the panel it was requested in. */
function besidePanel({ runs }: WithRuns): vscode.ViewColumn {
  // Whether a panel is the active one is known only a moment after the click in it.
  const column = (runs.panels.find(({ isActive }) => isActive) ?? runs.panels.find(({ isVisible }) => isVisible))?.column;
  if (column === undefined) return vscode.ViewColumn.Active;
  return column === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One;
}
