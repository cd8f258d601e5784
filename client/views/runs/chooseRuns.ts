import * as vscode from 'vscode';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import type { Services } from '../../services.js';
import { pickRuns } from './pickRun.js';
import { readReferences } from './reference.js';

/** The runs to compare, oldest first: those selected in the tree; the user is asked for the others. Undefined when the user cancelled. */
export async function chooseRuns(
  services: Services & WithRuns,
  argument: unknown,
  selection: unknown,
): Promise<readonly RunReference[] | undefined> {
  const chosen = readReferences(services, argument, selection);
  const [first] = chosen;
  if (chosen.length >= 2) return oldestFirst(chosen);
  const title = vscode.l10n.t('Compare Runs');
  const isOther = ({ folder, run_id }: RunReference) => folder !== first?.folder || run_id !== first.run_id;
  const placeholder = first === undefined ? vscode.l10n.t('Which runs? Choose two or more.') : vscode.l10n.t('Compare with which runs?');
  const others = await pickRuns(services, { title, placeholder, isOffered: isOther });
  const all = [...chosen, ...(others ?? [])];
  return others === undefined || all.length < 2 ? undefined : oldestFirst(all);
}

/** Ids start with the time. */
function oldestFirst(runs: readonly RunReference[]): readonly RunReference[] {
  return [...runs].sort((left, right) => (left.run_id < right.run_id ? -1 : 1));
}
