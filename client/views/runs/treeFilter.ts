import * as vscode from 'vscode';
import { isObject } from '../../../core/json.js';
import type { RunFilter } from '../../../core/run/runFilter.js';
import type { RunState } from '../../../core/run/runSummary.js';
import { stateWord } from '../../panels/run/runWords.js';
import type { TreeFilter } from '../../panels/run/types.js';

export const noFilter: TreeFilter = { agents: [], states: [], cases: [], profiles: [], projects: [], days: 0, text: '' };

/** What was kept. */
export function readTreeFilter(kept: unknown): TreeFilter {
  if (!isObject(kept as never)) return noFilter;
  const { days, text, ...lists } = kept as unknown as { readonly [key: string]: unknown };
  const listOf = (name: string) => {
    const list = lists[name];
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
  };
  return {
    agents: listOf('agents'),
    states: listOf('states') as RunState[],
    cases: listOf('cases'),
    profiles: listOf('profiles'),
    projects: listOf('projects'),
    days: typeof days === 'number' ? days : 0,
    text: typeof text === 'string' ? text : '',
  };
}

export function isFiltering(filter: TreeFilter): boolean {
  return filter.days > 0 || filter.text !== '' || Object.values(filter).some((value) => Array.isArray(value) && value.length > 0);
}

/** The filter without its projects and its text, as core applies it. */
export function toRunFilter({ agents, states, cases, profiles, days }: TreeFilter, now: number): RunFilter {
  return { agents, states, cases, profiles, ...(days > 0 && { since: now - days * 86_400_000 }) };
}

/** The active filter, for the description of the view: `A2 · failed · "refund"`. */
export function filterWords(filter: TreeFilter): string {
  const { agents, states, cases, profiles, projects, days, text } = filter;
  const roots = projects.map((root) => root.slice(root.search(/[^\\/]+$/)));
  const parts = [...agents, ...states.map(stateWord), ...cases, ...profiles, ...roots];
  if (days > 0) parts.push(daysWord(days));
  if (text !== '') parts.push(`"${text}"`);
  return parts.join(' · ');
}

export function daysWord(days: number): string {
  return days === 1 ? vscode.l10n.t('last 24 hours') : vscode.l10n.t('last {0} days', days);
}
