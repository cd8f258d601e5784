import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRunFiles } from '../../../core/run/readRuns.js';
import type { RunSummary } from '../../../core/run/runSummary.js';
import { showPage } from '../../panels/webviewPage.js';
import type { Services } from '../../services.js';
import { fullNameOfRun } from '../run/nameOfRun.js';
import type { RunReference } from '../run/types.js';
import { comparedLines } from './comparedLines.js';
import { comparisonStrings, comparisonWords } from './comparisonStrings.js';
import { type HostMessage, isPageMessage } from './messages.js';

/**
 * Shows runs side by side in a table, a column each.
 *
 * @param panel default: a new one
 */
export async function showComparison(services: Services, runs: readonly RunReference[], panel = newPanel()): Promise<void> {
  const { extension, cover, log } = services;
  const shown = await compare(runs);
  panel.title = vscode.l10n.t('Compare: {0}', shown.columns.map(({ name }) => name).join(' ↔ '));
  panel.webview.onDidReceiveMessage(async (message: unknown) => {
    if (!isPageMessage(message)) log.warn('The comparison of runs sent something that is not a message.');
    else if (message.type === 'ready') await panel.webview.postMessage(cover.apply(shown));
    else if (message.type === 'texts') await vscode.commands.executeCommand('agentStack.compareRunTexts', runs[0], runs);
    else if (runs[message.column] !== undefined) await vscode.commands.executeCommand('agentStack.openRun', runs[message.column]);
  });
  showPage(extension, panel, { name: 'compare', strings: comparisonStrings() });
}

function newPanel(): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel('agentStack.compare', '', vscode.ViewColumn.Active);
}

async function compare(references: readonly RunReference[]): Promise<HostMessage> {
  const runs = await Promise.all(references.map(({ folder, run_id }) => readRunFiles(createNodeFiles(folder.root), run_id)));
  const hasSeveralProjects = new Set(references.map(({ folder }) => folder)).size > 1;
  const columns = references.map(({ folder, run_id }, at) => {
    const summary = runs[at]?.summary;
    return {
      root: folder.root,
      run_id,
      name: summary === undefined ? run_id : nameOf(summary, hasSeveralProjects ? folder.name : ''),
      started: summary?.started == null ? '' : new Date(summary.started).toLocaleString(vscode.env.language),
    };
  });
  return { type: 'show', columns, lines: comparedLines(runs, comparisonWords()) };
}

function nameOf({ run_id, name, version, case: payload, llm_id: profile }: RunSummary, project: string): string {
  return fullNameOfRun({ agent: name ?? run_id, version: version ?? '', payload, profile, project });
}
