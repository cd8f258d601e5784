import * as vscode from 'vscode';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunGrouping, RunReference } from '../../panels/run/types.js';
import type { Services } from '../../services.js';
import { selectFocused } from '../selectFocused.js';
import type { RunsNode } from './runItem.js';
import type { RunsTree } from './runsTree.js';
import { filterWords, isFiltering, readTreeFilter } from './treeFilter.js';

const groupingKey = 'agentStack.runsGrouping';
const filterKey = 'agentStack.runsFilter';
/** Milliseconds that changes are collected for: a run writes several files in a row. */
const pause = 250;

/** The view "Runs". Reads nothing before it is first shown. */
export function runsView(services: Services & WithRuns): vscode.Disposable {
  const changed = new vscode.EventEmitter<RunsNode | undefined>();
  const memory = services.memory;
  const disposables: vscode.Disposable[] = [changed];
  let tree: RunsTree | undefined;
  let itemOf: ((node: RunsNode) => vscode.TreeItem) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let filter = readTreeFilter(memory.get(filterKey));

  const grouping = (): RunGrouping => (memory.get(groupingKey) === 'agent' ? 'agent' : 'day');
  const refresh = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed.fire(undefined);
    }, pause);
  };
  const start = async (): Promise<RunsTree> => {
    if (tree !== undefined) return tree;
    const [{ RunsTree }, { runItem }] = await Promise.all([import('./runsTree.js'), import('./runItem.js')]);
    itemOf = runItem;
    if (tree === undefined) {
      tree = new RunsTree(services);
      const watcher = vscode.workspace.createFileSystemWatcher('**/.agentstack/runs/{*,*/*.json}');
      disposables.push(watcher, watcher.onDidCreate(refresh), watcher.onDidChange(refresh), watcher.onDidDelete(refresh));
      disposables.push(services.runs.onDidChange(refresh));
    }
    return tree;
  };

  const view = vscode.window.createTreeView<RunsNode>('agentStack.runs', {
    canSelectMany: true,
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getChildren(node) {
        const started = await start();
        if (node === undefined) {
          const nodes = await started.load(grouping(), filter);
          setContext(nodes.length === 0);
          void vscode.commands.executeCommand('setContext', 'agentStack.runsListed', true);
          return [...nodes];
        }
        return node.type === 'group' ? [...node.runs] : [];
      },
      getTreeItem: (node) => itemOf?.(node) ?? new vscode.TreeItem(''),
      getParent: (node) => tree?.parentOf(node),
    },
  });
  disposables.push(view);
  void vscode.commands.executeCommand('setContext', groupingKey, grouping());
  /** The filter is shown beside the view's name, so that no match is not taken for an empty history. */
  const setContext = (isEmpty: boolean) => {
    view.description = filterWords(filter);
    view.message = isEmpty && isFiltering(filter) ? vscode.l10n.t('No run fits the filter.') : '';
  };
  const updateFilterContext = () => vscode.commands.executeCommand('setContext', filterKey, isFiltering(filter));
  void updateFilterContext();

  services.runs.view = {
    refresh,
    selection: () => runsOf(view.selection),
    focused: async () => runsOf(await selectFocused(view)),
    newest: async (count) => (await start()).newest(count),
    async group(by) {
      await memory.update(groupingKey, by);
      await vscode.commands.executeCommand('setContext', groupingKey, by);
      refresh();
    },
    get filter() {
      return filter;
    },
    async setFilter(wanted) {
      filter = wanted;
      await memory.update(filterKey, filter);
      await updateFilterContext();
      refresh();
    },
    async showMore() {
      (await start()).showMore();
      refresh();
    },
    async reveal(reference) {
      await vscode.commands.executeCommand('agentStack.runs.focus');
      const node = await (await start()).find(reference, grouping(), filter);
      if (node !== undefined) await view.reveal(node, { select: true, focus: true });
    },
  };
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    for (const disposable of disposables) disposable.dispose();
  });
}

function runsOf(nodes: readonly RunsNode[]): readonly RunReference[] {
  return nodes.filter((node) => node.type === 'run').map(({ folder, run_id }): RunReference => ({ folder, run_id }));
}
