import * as vscode from 'vscode';
import type { ImportPlan } from '../../core/import/types.js';
import type { ProjectFolder } from '../projects.js';

const scheme = 'agent-stack-import';
const context = 'agentStack.importing';

/** Answers the import that waits. One at a time does. */
let decide: ((isConfirmed: boolean) => void) | undefined;

/** The button in the title of the diff: a notification goes away by itself. */
export async function applyImport(): Promise<void> {
  decide?.(true);
}

/** Shows every file that would be written, as a diff below what is different from the source, and asks. Closing the diff says no. */
export async function confirmImport(folder: ProjectFolder, plan: ImportPlan, name: string, count: number): Promise<boolean> {
  const { t } = vscode.l10n;
  decide?.(false);
  const page = `${t('Import')}.md`;
  const texts = new Map([[`/${page}`, importPage(plan)], ...plan.files.map(({ path, text }) => [`/${path}`, text] as const)]);
  const uriOf = (path: string) => vscode.Uri.from({ scheme, path: `/${path}` });
  const title = t('Import from {0}', name);
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ label }) => label.startsWith(title));
  let answer: (isConfirmed: boolean) => void = () => undefined;
  const decision = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  decide = answer;
  const subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent: ({ path }) => texts.get(path) ?? '' }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (closed.some(({ label }) => label.startsWith(title))) answer(false);
    }),
  ];
  try {
    const changes = plan.files
      .filter(({ action }) => action !== 'same')
      .map(({ path, action }) => [folder.uriOf(path), action === 'create' ? undefined : folder.uriOf(path), uriOf(path)]);
    await vscode.commands.executeCommand('vscode.changes', title, [[uriOf(page), undefined, uriOf(page)], ...changes]);
    await vscode.commands.executeCommand('setContext', context, true);
    const question = count === 1 ? t('Write 1 file from {0}?', name) : t('Write {0} files from {1}?', count, name);
    const yes = t('Import');
    // Without an answer the button stays.
    void vscode.window.showInformationMessage(question, yes, t('Cancel')).then((chosen) => chosen && answer(chosen === yes));
    return await decision;
  } finally {
    if (decide === answer) decide = undefined;
    await vscode.commands.executeCommand('setContext', context, decide !== undefined);
    await vscode.window.tabGroups.close(tabs());
    for (const subscription of subscriptions) subscription.dispose();
  }
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
