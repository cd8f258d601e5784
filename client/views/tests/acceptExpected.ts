import * as vscode from 'vscode';
import { acceptActual } from '../../../core/eval/suggestExpect.js';
import type { CaseReport, ReasonReport } from '../../../core/generated/types.js';
import type { Json } from '../../../core/json.js';
import { applyReplacements, JsonEdit } from '../../../core/jsonText/jsonEdit.js';
import type { Client } from '../../client.js';
import { lastEvalsOf } from '../../panels/evals/lastEvals.js';
import { Refusal } from '../../refusal.js';
import { findCase } from './findCase.js';
import type { CaseItem } from './types.js';

/** The file as it would be, beside the file as it is. */
const scheme = 'agentstack-accepted';

/**
 * Accept as Expected: from a message of the Test Explorer, a case of it, or a program that gives a file and the name of a case. Writes what the last run
 * answered into the expectations that failed, or into `expected` where they compare with that. A person sees the difference first; what the offline
 * provider made up is never accepted.
 *
 * @returns how many expectations were changed
 */
export async function acceptExpected(client: Client, argument?: unknown, name?: unknown): Promise<number> {
  const { t } = vscode.l10n;
  const { caseItem: one, range } = await readArgument(client, argument, name);
  if (one === undefined) throw new Refusal(t('Choose a case in the Test Explorer.'));
  const { place } = one;
  const report = (await lastEvalsOf(client.tests).find(place.folder, place.file)).get(place.name);
  if (report?.simulated)
    throw new Refusal(t('The offline provider made this answer of {0} up. Ask a model before you accept one.', place.name));
  const reasons = acceptableReasons(one, report, range);
  if (reasons.length === 0) throw new Refusal(t('The last run of {0} has no answer that could be accepted.', place.name));
  const document = await vscode.workspace.openTextDocument(place.folder.uriOf(place.file));
  const text = document.getText();
  const edit = new JsonEdit(text);
  const shared = new Set<string>();
  const accepted = reasons.flatMap(({ pointer, turn, actual }) => {
    const owner = turn === undefined ? place.pointer : `${place.pointer}/turns/${turn - 1}`;
    const change = actual === undefined ? undefined : acceptActual(parse(document), owner, pointer, actual);
    if (change !== undefined && place.pointer !== '' && change.pointer.startsWith('/expect/')) shared.add(change.pointer);
    return change ?? [];
  });
  if (accepted.length === 0) throw new Refusal(t('No single value meets this expectation. Change it by hand.'));
  if (shared.size > 0) await agreeForAll(place.file);
  // Repeats may have answered differently: the most frequent answer comes first.
  const changes = new Map(accepted.toReversed().map((change) => [change.pointer, change.value]));
  for (const [pointer, value] of changes) edit.set(pointer, value);
  const change = new vscode.WorkspaceEdit();
  const replacements = edit.replacements();
  if (!(argument instanceof vscode.Uri)) await agreeToDifference(document, applyReplacements(text, replacements), place.name);
  for (const { start, end, text: replacement } of replacements)
    change.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), replacement);
  const wasSaved = !document.isDirty;
  await vscode.workspace.applyEdit(change);
  if (wasSaved) await document.save();
  return changes.size;
}

/** Shows the file beside what it would be, and asks. @throws CancellationError */
async function agreeToDifference(document: vscode.TextDocument, proposed: string, name: string): Promise<void> {
  const { t } = vscode.l10n;
  const uri = document.uri.with({ scheme, query: String(Date.now()) });
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: () => proposed });
  try {
    const title = t('{0}: expected ↔ answered', name);
    await vscode.commands.executeCommand('vscode.diff', document.uri, uri, title, { preview: true });
    const accept = t('Accept');
    const chosen = await vscode.window.showInformationMessage(t('Expect of {0} what it answered?', name), accept, t('Cancel'));
    const isShown = ({ input }: vscode.Tab) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
    await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isShown));
    if (chosen !== accept) throw new vscode.CancellationError();
  } finally {
    provider.dispose();
  }
}

async function agreeForAll(file: string): Promise<void> {
  const { t } = vscode.l10n;
  const go = t('Change for All Cases');
  const question = t('This expectation holds for all cases of {0}.', file);
  if ((await vscode.window.showWarningMessage(question, { modal: true }, go)) !== go) throw new vscode.CancellationError();
}

async function readArgument(
  client: Client,
  argument: unknown,
  name: unknown,
): Promise<{ readonly caseItem: CaseItem | undefined; readonly range?: vscode.Range | undefined }> {
  if (argument instanceof vscode.Uri) return { caseItem: await findCase(client, argument, name) };
  const tree = await client.tests.loadTree?.();
  if (typeof argument !== 'object' || argument === null || tree === undefined) return { caseItem: undefined };
  const { test, message } = argument as { readonly test?: vscode.TestItem; readonly message?: vscode.TestMessage };
  const item = test ?? (argument as vscode.TestItem);
  const place = tree.place(item);
  return { caseItem: place && { item, place }, range: message?.location?.range };
}

/** The failures that report an actual value, in today's places. @param range of the failure to accept; default: all */
function acceptableReasons({ place }: CaseItem, report: CaseReport | undefined, range: vscode.Range | undefined): readonly ReasonReport[] {
  if (report === undefined) return [];
  const reasons = report.reasons.map((reason) => {
    const { pointer } = reason;
    const isOwn = report.pointer !== '' && pointer.startsWith(`${report.pointer}/`);
    return isOwn ? { ...reason, pointer: place.pointer + pointer.slice(report.pointer.length) } : reason;
  });
  return reasons.filter(
    ({ outcome, actual, pointer }) =>
      outcome === 'failed' && actual !== undefined && (range === undefined || place.rangeOf(pointer)?.start.isEqual(range.start) === true),
  );
}

/** @throws Refusal if the value is not JSON */
function parse(document: vscode.TextDocument): Json {
  try {
    return JSON.parse(document.getText()) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal(vscode.l10n.t('{0} is not valid JSON.', vscode.workspace.asRelativePath(document.uri)), [
      { title: vscode.l10n.t('Show'), run: () => vscode.window.showTextDocument(document) },
    ]);
  }
}
