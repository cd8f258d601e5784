import * as vscode from 'vscode';
import type { ImportPlan } from '../../core/import/types.js';

/** What an import would write, what is different from the source, and what `check` finds, as Markdown. */
export function importPage({ sources, files, notes, findings }: ImportPlan): string {
  const { t } = vscode.l10n;
  const words = { create: t('new'), change: t('servers are added'), same: t('is there already') };
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
