import * as vscode from 'vscode';
import type { WithServer } from '../../language/languageServer.js';
import type { Services } from '../../services.js';
import type { AgentsNode } from './nodes.js';

const ownType = 'application/vnd.code.tree.agentstack.agents';

/** Files can be dragged into an editor, and payloads to another agent. */
export function dragController(services: Services & WithServer): vscode.TreeDragAndDropController<AgentsNode> {
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
        const { tellFailure } = await import('../../tellFailure.js');
        await tellFailure(services, 'agentStack.agents', error);
      }
    },
  };
}
