import * as vscode from 'vscode';
import { durationText, usdText } from '../../../core/amounts.js';
import { countText } from '../../../core/llm/tokenText.js';
import type { RunSummary } from '../../../core/run/runSummary.js';
import { isLeast, sumSpending } from '../../../core/run/spending.js';
import { stateWord } from '../../panels/run/runWords.js';
import type { RunNode } from '../../panels/run/types.js';

export interface GroupNode {
  readonly type: 'group';
  readonly key: string;
  readonly label: string;
  readonly runs: readonly RunNode[];
}

/** `more` leads to the older runs. */
export type RunsNode = RunNode | GroupNode | { readonly type: 'more'; readonly hidden: number };

/** How a node of the runs view looks. */
export function runItem(node: RunsNode): vscode.TreeItem {
  if (node.type === 'group') {
    const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
    item.id = node.key;
    item.description = groupWords(node.runs.map(({ summary }) => summary));
    item.contextValue = 'group';
    if (node.key === 'pinned') item.iconPath = new vscode.ThemeIcon('pinned');
    return item;
  }
  if (node.type === 'more') {
    const item = new vscode.TreeItem(vscode.l10n.t('Show More'));
    item.id = 'more';
    item.description = vscode.l10n.t('{0} older', node.hidden);
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.command = { command: 'agentStack.showMoreRuns', title: vscode.l10n.t('Show More') };
    return item;
  }
  return itemOfRun(node);
}

/** How many runs a group has, and what they cost together. */
function groupWords(runs: readonly RunSummary[]): string {
  const spending = sumSpending(runs);
  const cost = usdText(spending.cost, vscode.env.language);
  if (spending.cost === 0) return String(runs.length);
  return `${runs.length} · ${isLeast(spending) ? vscode.l10n.t('at least {0}', cost) : cost}`;
}

function itemOfRun(node: RunNode): vscode.TreeItem {
  const { folder, run_id, summary, isLive, isPinned } = node;
  const name = nameOf(node);
  const item = new vscode.TreeItem(name);
  item.id = `${folder.root}\0${run_id}`;
  item.description = factsOf(node).join(' · ');
  item.iconPath = iconOf(node);
  // Menus ask for these words.
  const words = [
    isLive ? 'live' : isPinned ? 'pinned' : [],
    summary.kind === 'orchestration' ? 'teams' : [],
    // Its files do not say what ran.
    summary.name === null ? 'unknown' : [],
  ];
  item.contextValue = ['run', ...words, !isLive && summary.can_resume ? 'stopped' : []].flat().join('.');
  item.command = { command: 'agentStack.openRun', title: vscode.l10n.t('Open Run'), arguments: [node] };
  const status = statusOf(node);
  item.accessibilityInformation = { label: [name, status, ...factsOf(node)].join(', ') };
  const tooltip = new vscode.MarkdownString();
  const lines = [`${name}: ${status}`, ...factsOf(node), summary.problem, summary.error?.message, folder.name, run_id];
  for (const line of lines) if (line) tooltip.appendText(`${line}\n`);
  item.tooltip = tooltip;
  return item;
}

/** The name of a run: its agent and version, or its id where they are unknown. */
export function nameOf({ run_id, summary: { name, version } }: RunNode): string {
  if (name === null) return run_id;
  return version === null ? name : `${name}@${version}`;
}

/** Input, profile and project, time, duration, model calls, tools, tokens, cost and model, as far as they are known. */
export function factsOf({ summary, project, isLive }: RunNode): readonly string[] {
  const { started, duration_ms, simulated, model_name, iterations, tools_used } = summary;
  const { t } = vscode.l10n;
  const facts = [summary.case, summary.llm_id, project].filter((fact) => fact !== null);
  if (started !== null) facts.push(new Date(started).toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' }));
  if (isLive) facts.push(t('running'));
  if (duration_ms !== null) facts.push(durationText(duration_ms, vscode.env.language));
  if (iterations !== null && (iterations > 1 || tools_used.length > 0)) facts.push(t('{0} model calls', iterations));
  if (tools_used.length > 0) facts.push(tools_used.length > 3 ? `${tools_used.slice(0, 3).join(', ')}, …` : tools_used.join(', '));
  facts.push(...usedOf(summary));
  if (!simulated && model_name !== null) facts.push(model_name);
  return facts;
}

/** Tokens and cost; for an interrupted run the least it used. */
function usedOf({ total_tokens, tokens_incomplete, cost, simulated, replayed }: RunSummary): readonly string[] {
  const { t } = vscode.l10n;
  if (total_tokens === null) return [];
  if (total_tokens === 0) return tokens_incomplete ? [t('tokens unknown')] : [];
  const most = (text: string) => (tokens_incomplete ? t('at least {0}', text) : text);
  const tokens = most(t('{0} tokens', countText(total_tokens, vscode.env.language)));
  if (simulated) return [tokens, t('simulated')];
  if (replayed) return [tokens, t('replayed')];
  return cost === null || cost === 0 ? [tokens] : [tokens, most(usdText(cost, vscode.env.language))];
}

function statusOf({ summary, isLive }: RunNode): string {
  return isLive ? vscode.l10n.t('running') : stateWord(summary.state);
}

function iconOf({ summary, isLive }: RunNode): vscode.ThemeIcon {
  if (isLive) return new vscode.ThemeIcon('loading~spin');
  switch (summary.state) {
    case 'completed':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'partial':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('testing.iconFailed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case 'cancelled':
      return new vscode.ThemeIcon('circle-slash');
    case 'open':
      return new vscode.ThemeIcon('circle-outline');
    case 'broken':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
}
