import * as vscode from 'vscode';
import type { RunState } from '../../../core/run/runSummary.js';
import type { WithRuns } from '../../panels/run/runs.js';
import { stateWord } from '../../panels/run/runWords.js';
import type { RunNode, TreeFilter } from '../../panels/run/types.js';
import { daysWord } from './treeFilter.js';

/** The newest runs, which provide the choices. */
const mostRuns = 1_000;

interface Facet extends vscode.QuickPickItem {
  readonly set?: (filter: TreeFilter) => TreeFilter;
}

/** Asks which runs the view shows: of what agents, inputs, profiles and projects, how they ended, and since when. */
export async function filterRuns({ runs }: WithRuns): Promise<void> {
  const { view } = runs;
  if (view === undefined) return;
  const items = facetsOf(await view.newest(mostRuns), view.filter);
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Filter Runs'),
    placeHolder: vscode.l10n.t('Choose what is shown; nothing chosen shows all.'),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (chosen === undefined) return;
  const empty: TreeFilter = { agents: [], states: [], cases: [], profiles: [], projects: [], days: 0, text: view.filter.text };
  await view.setFilter(chosen.reduce((filter, { set }) => set?.(filter) ?? filter, empty));
}

/** Asks for a text that the shown runs have in their input, answer, error or names. */
export async function searchRuns({ runs }: WithRuns): Promise<void> {
  const { view } = runs;
  if (view === undefined) return;
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Search Runs'),
    prompt: vscode.l10n.t('A text in the input, the answer, the error or the names of a run. Empty shows all.'),
    value: view.filter.text,
  });
  if (text !== undefined) await view.setFilter({ ...view.filter, text: text.trim() });
}

/** Everything that can be chosen, with how many of the runs have it. */
function facetsOf(nodes: readonly RunNode[], now: TreeFilter): readonly Facet[] {
  const { t } = vscode.l10n;
  const facets: Facet[] = [];
  const add = <Value extends string>(
    title: string,
    name: 'agents' | 'states' | 'cases' | 'profiles' | 'projects',
    of: (node: RunNode) => Value | null,
    label: (value: Value, node: RunNode) => string = (value) => value,
  ) => {
    const counts = new Map<Value, { count: number; node: RunNode }>();
    for (const node of nodes) {
      const value = of(node);
      if (value !== null) counts.set(value, { node, count: (counts.get(value)?.count ?? 0) + 1 });
    }
    // One choice alone filters nothing, unless it is chosen already or some runs lack it.
    const [only] = counts.values();
    if (counts.size === 1 && only?.count === nodes.length && now[name].length === 0) return;
    if (counts.size > 0) facets.push({ label: title, kind: vscode.QuickPickItemKind.Separator });
    for (const [value, { count, node }] of counts)
      facets.push({
        label: label(value, node),
        description: String(count),
        picked: (now[name] as readonly string[]).includes(value),
        set: (filter) => ({ ...filter, [name]: [...filter[name], value] }),
      });
  };
  add(t('Agent or orchestration'), 'agents', ({ summary }) => summary.name);
  add<RunState>(t('Status'), 'states', ({ summary }) => summary.state, stateWord);
  add(t('Case'), 'cases', ({ summary }) => summary.case);
  add(t('Profile'), 'profiles', ({ summary }) => summary.llm_id);
  add(
    t('Project'),
    'projects',
    ({ folder }) => folder.root,
    (_root, { folder }) => folder.name,
  );
  facets.push({ label: t('Date'), kind: vscode.QuickPickItemKind.Separator });
  for (const days of [1, 7, 30]) facets.push({ label: daysWord(days), picked: now.days === days, set: (filter) => ({ ...filter, days }) });
  return facets;
}
