import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRunFiles, runsFolder } from '../../../core/run/readRuns.js';
import type { RunSummary } from '../../../core/run/runSummary.js';
import { isThere } from '../../isThere.js';
import type { Services } from '../../services.js';
import { PanelPage } from '../panelPage.js';
import type { RestorePanel } from '../restorePanels.js';
import { fullNameOfRun, stateWord } from '../run/runWords.js';
import { translatedErrors } from '../run/translatedErrors.js';
import type { RunReference } from '../run/types.js';
import { type ComparisonWords, comparedLines } from './comparedLines.js';
import { type ComparedLine, fromPage, type ToPage } from './messages.js';

/**
 * Shows runs side by side in a table, a column each.
 *
 * @param panel default: a new one
 * @param steps of the runs, side by side, where they are known
 */
export async function showComparison(
  services: Services,
  runs: readonly RunReference[],
  panel = newPanel(),
  steps: readonly ComparedLine[] = [],
): Promise<void> {
  const { lines, ...compared } = await compare(runs);
  const comparison: ToPage = { ...compared, lines: [...lines, ...steps] };
  const page: PanelPage<ToPage, typeof fromPage> = new PanelPage(services, panel, {
    name: 'compare',
    title: vscode.l10n.t('Compare: {0}', comparison.columns.map(({ name }) => name).join(' ↔ ')),
    command: 'agentStack.compareRuns',
    messages: fromPage,
    onReady: () => page.send(comparison),
    on: {
      texts: () => vscode.commands.executeCommand('agentStack.compareRunTexts', runs[0], runs),
      open: ({ column }) => runs[column] && vscode.commands.executeCommand('agentStack.openRun', runs[column]),
    },
  });
}

function newPanel(): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel('agentStack.compare', '', vscode.ViewColumn.Active);
}

/** Compares the runs that still exist, if there are two or more. Only projects of this workspace are read. */
export const restoreComparison: RestorePanel = async (client, panel, state) => {
  if (!isObject(state) || !Array.isArray(state.runs)) return false;
  const folders = await client.projects.list();
  const runs: RunReference[] = [];
  for (const kept of state.runs) {
    if (!isObject(kept) || typeof kept.run_id !== 'string') continue;
    const { root, run_id } = kept;
    const folder = folders.find((each) => each.root === root);
    if (folder !== undefined && (await isThere(folder.uriOf(`${runsFolder}/${run_id}/run.json`)))) runs.push({ folder, run_id });
  }
  if (runs.length < 2) return false;
  await showComparison(client, runs, panel);
  return true;
};

async function compare(references: readonly RunReference[]): Promise<ToPage> {
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

function comparisonWords(): ComparisonWords {
  const { t } = vscode.l10n;
  return {
    language: vscode.env.language,
    fields: {
      agent: t('Agent'),
      case: t('Case'),
      profile: t('Profile'),
      model: t('Model'),
      environment: t('Environment'),
      started: t('Started'),
      status: t('Status'),
      error: t('Error'),
      duration: t('Time'),
      cost: t('Cost'),
      prompt_tokens: t('Tokens in'),
      completion_tokens: t('Tokens out'),
      model_calls: t('Model calls'),
      tools: t('Tools'),
      repairs: t('Repairs'),
    },
    stateWord,
    errors: translatedErrors(vscode.l10n.t),
    simulated: t('simulated'),
    atLeast: (text) => t('at least {0}', text),
  };
}
