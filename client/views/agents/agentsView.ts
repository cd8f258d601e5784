import * as vscode from 'vscode';
import { registerCommand } from '../../command.js';
import type { WithServer } from '../../language/languageServer.js';
import type { Services } from '../../services.js';
import type { AgentsTree } from './agentsTree.js';
import type { EntryAction } from './entryCommands.js';
import type { AgentsNode } from './nodes.js';

/** The view "Agents". Lists nothing before it is shown. */
export function agentsView(services: Services & WithServer): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  let loading: Promise<AgentsTree> | undefined;
  const tree = () => {
    loading ??= import('./agentsTree.js').then(({ AgentsTree }) => new AgentsTree(services, () => changed.fire(undefined)));
    return loading;
  };
  const treeDataProvider: vscode.TreeDataProvider<AgentsNode> = {
    onDidChangeTreeData: changed.event,
    async getChildren(node) {
      const children = [...(await (await tree()).childrenOf(node))];
      // Until then, an empty view says that it is being filled.
      if (node === undefined) void vscode.commands.executeCommand('setContext', 'agentStack.agentsListed', true);
      return children;
    },
    getTreeItem: async (node) => (await tree()).itemOf(node),
    resolveTreeItem: async (item, node) => {
      item.tooltip = await (await tree()).tooltipOf(node);
      return item;
    },
  };
  const view = vscode.window.createTreeView('agentStack.agents', {
    treeDataProvider,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: dragController(services),
  });
  return vscode.Disposable.from(
    changed,
    view,
    registerCommand(services, { id: 'agentStack.refreshAgents', run: async () => (await tree()).refresh() }),
    ...(['runEntry', 'previewEntry', 'renameEntry', 'duplicateEntry', 'deleteEntry', 'revealEntry'] satisfies EntryAction[]).map((action) =>
      registerCommand(services, {
        id: `agentStack.${action}`,
        run: async (_needs, clicked, more) => (await import('./entryCommands.js')).doWithEntry(action, services, view, clicked, more),
      }),
    ),
    { dispose: () => void loading?.then((loaded) => loaded.dispose()) },
  );
}

const ownType = 'application/vnd.code.tree.agentstack.agents';

/** Files can be dragged into an editor, and payloads to another agent. */
function dragController(services: Services & WithServer): vscode.TreeDragAndDropController<AgentsNode> {
  return {
    dragMimeTypes: ['text/uri-list', ownType],
    dropMimeTypes: [ownType],
    handleDrag(dragged, transfer) {
      const uris = dragged.flatMap((node) => ('path' in node ? [node.uri.toString()] : []));
      transfer.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
      transfer.set(ownType, new vscode.DataTransferItem(dragged));
    },
    async handleDrop(target, transfer) {
      const dragged: unknown = transfer.get(ownType)?.value;
      if (!Array.isArray(dragged)) return;
      try {
        await (await import('./entries/dragEntries.js')).dropPayloads(services.server, dragged as readonly AgentsNode[], target);
      } catch (error) {
        const { reportFailure } = await import('../../reportFailure.js');
        await reportFailure(services, 'agentStack.agents', error);
      }
    },
  };
}
