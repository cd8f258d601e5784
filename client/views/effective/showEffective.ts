import * as vscode from 'vscode';
import { besideActive } from '../../panels/columns.js';
import type { WithPreviews } from '../../panels/preview/previewLoader.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { subjectOf } from './effectiveArgument.js';
import { effectiveSubject, effectiveUri } from './effectiveUri.js';
import { environmentsOf } from './environments.js';

/** Opens the effective config of an agent or orchestration beside its file. */
export async function showEffectiveConfig(services: Services & WithPreviews, argument?: unknown): Promise<void> {
  const subject = await subjectOf(services, argument);
  if (subject === undefined) return;
  const isBeside = 'file' in subject && vscode.window.activeTextEditor?.document.uri.toString() === subject.file.toString();
  await open(effectiveUri(subject), isBeside ? besideActive() : vscode.ViewColumn.Active);
}

async function open(uri: vscode.Uri, viewColumn: vscode.ViewColumn): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { viewColumn, preview: false });
}

/** Shows the same config for another environment, instead of the document that asked for it. */
export async function switchEffectiveEnvironment(services: Services & WithPreviews, argument?: unknown): Promise<void> {
  const target = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const subject = target && effectiveSubject(target);
  if (target === undefined || subject === undefined || !('file' in subject))
    throw new Refusal(vscode.l10n.t('Show an effective configuration first: this chooses the environment it is for.'));
  const { names, current } = await environmentsOf(services, subject.file);
  const { t } = vscode.l10n;
  const items = [
    { label: t("Project's own"), description: current, environment: undefined },
    ...names.map((name) => ({ label: name, environment: name })),
  ];
  const chosen = await vscode.window.showQuickPick(
    items.map((item) => ({ ...item, iconPath: new vscode.ThemeIcon(item.environment === subject.environment ? 'check' : 'blank') })),
    { title: t('Environment of {0}', vscode.workspace.asRelativePath(subject.file)), placeHolder: t('Only this document changes') },
  );
  if (chosen === undefined || chosen.environment === subject.environment) return;
  const before = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === target.toString());
  await open(effectiveUri({ file: subject.file, environment: chosen.environment }), before?.group.viewColumn ?? vscode.ViewColumn.Active);
  if (before !== undefined) await vscode.window.tabGroups.close(before);
}
