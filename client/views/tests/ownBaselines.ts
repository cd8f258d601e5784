import * as vscode from 'vscode';
import type { LoadedIndex } from '../../../core/config/loadProjectIndex.js';
import { pathOf } from '../../../core/config/paths.js';
import { Refusal } from '../../refusal.js';
import type { CaseItem } from './types.js';

/** Project path of the baselines as the files have them now. */
export function baselinesFolder({ settings }: Pick<LoadedIndex, 'settings'>): string {
  const path = pathOf('baseline', 'any', settings);
  return path.slice(0, path.lastIndexOf('/'));
}

/** None of these cases has anything to be compared with. */
export function noBaseline({ settings }: Pick<LoadedIndex, 'settings'>, [first]: readonly CaseItem[]): Refusal {
  const subject = first?.place.subject ?? '';
  const path = pathOf('baseline', subject, settings);
  const { t } = vscode.l10n;
  return new Refusal(
    t('There is no baseline to compare with: {0} is missing. Write one with: agent-stack eval {1} --save-baseline', path, subject),
  );
}
