import type { GraphEdge, GraphTask } from './graphModel.js';

/** Words in the picture. */
export interface GraphWords {
  readonly start: string;
  readonly end: string;
  readonly default: string;
}

export const englishWords: GraphWords = { start: 'Entry', end: 'End', default: 'default' };

/** The label of an edge: the number of the rule, from 1, and its condition. */
export function labelText({ kind, rule, words }: GraphEdge, { default: fallback }: GraphWords): string {
  if (kind === 'entry') return '';
  return kind === 'rule' ? `${(rule ?? 0) + 1}. ${words}` : fallback;
}

/** What performs a task: `Judge@v1`, `technical_editor · single_shot`. */
export function taskDetail({ runs, type }: GraphTask): string {
  return [runs, type].filter((part) => part !== '').join(' · ');
}
