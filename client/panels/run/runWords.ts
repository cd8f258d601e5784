import * as vscode from 'vscode';
import type { RunState } from '../../../core/run/runSummary.js';
import type { ViewFacts } from './messages.js';

/** The same with its input, profile and project, as far as they have names: for titles of tabs. */
export function fullNameOfRun(facts: Pick<ViewFacts, 'agent' | 'version' | 'payload' | 'profile' | 'project'>): string {
  const { payload, profile, project } = facts;
  return [nameOfRun(facts), payload, profile, project].filter((part) => part !== null && part !== '').join(' · ');
}

/** The name of a run: `A2@v1`, or the name of an orchestration. */
export function nameOfRun({ agent, version }: Pick<ViewFacts, 'agent' | 'version'>): string {
  return version === '' ? agent : `${agent}@${version}`;
}

/** The state of a run, in a list of runs. */
export function stateWord(state: RunState): string {
  const { t } = vscode.l10n;
  const words: Readonly<Record<RunState, string>> = {
    completed: t('completed'),
    partial: t('partial'),
    failed: t('failed'),
    cancelled: t('cancelled'),
    open: t('not ended'),
    broken: t('cannot be read'),
  };
  return words[state];
}
