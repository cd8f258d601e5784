import * as vscode from 'vscode';
import { debounce } from '../debounce.js';
import type { Services } from '../services.js';
import type { WithServer } from './languageServer.js';

/** Since VS Code 1.93. */
interface WithShellExecution {
  readonly onDidEndTerminalShellExecution?: vscode.Event<unknown>;
}

/**
 * VS Code's watcher on Linux misses changes below a folder that was just created or moved. So the disk is checked again when something may have
 * happened outside of the editor: after a command in the terminal, a task or a change of branch, when the window gains focus, and with every save.
 */
export function lookAgain({ server, projects, log }: Services & WithServer): vscode.Disposable {
  const later = debounce(async (reasons: readonly ('saved' | 'outside')[]) => {
    try {
      await server.lookAgain();
      // The views already know what is typed and saved.
      if (reasons.includes('outside')) await projects.lookAgain();
    } catch (error) {
      log.error('The disk could not be read again', error instanceof Error ? error : String(error));
    }
  }, 300);
  const outside = () => later.add('outside');
  const heads = vscode.workspace.createFileSystemWatcher('**/.git/{HEAD,ORIG_HEAD,logs/HEAD}');
  const { onDidEndTerminalShellExecution } = vscode.window as WithShellExecution;
  return vscode.Disposable.from(
    later,
    heads,
    heads.onDidCreate(outside),
    heads.onDidChange(outside),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && outside()),
    vscode.window.onDidCloseTerminal(outside),
    vscode.tasks.onDidEndTask(outside),
    vscode.workspace.onDidSaveTextDocument(() => later.add('saved')),
    ...(onDidEndTerminalShellExecution === undefined ? [] : [onDidEndTerminalShellExecution(outside)]),
  );
}
