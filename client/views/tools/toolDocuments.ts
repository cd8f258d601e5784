import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import { toolOf, toolScheme } from './toolUri.js';

/** The documents of `toolUri`, made from the lock when they are opened. Only projects of this workspace are read; a link cannot name another. */
export function toolDocuments({ projects }: Services): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(toolScheme, {
      onDidChange: changed.event,
      async provideTextDocumentContent(uri) {
        const tool = toolOf(uri);
        const folder = tool && (await projects.find(tool.root));
        if (tool === undefined || folder === undefined) return '';
        const [{ readProjectLock }, { pinnedTools, toolText }] = await Promise.all([
          import('./projectLock.js'),
          import('../../../core/tools/mcp/lock.js'),
        ]);
        const { lock } = await readProjectLock(folder);
        const pinned = pinnedTools(lock, tool.server)?.get(tool.tool);
        if (pinned === undefined) return '';
        if (tool.side === 'pinned') return toolText(pinned);
        // No longer listed: the other side is empty.
        return pinned.changed === null ? '' : toolText(pinned.changed ?? pinned);
      },
    }),
    projects.onDidChange(({ path }) => path.endsWith('/mcp.lock.json') && announceAll()),
  );

  function announceAll(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === toolScheme) changed.fire(uri);
  }
}
