import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import type { TextFiles } from './textFiles.js';
import { textScheme } from './textUri.js';

const agentFiles: vscode.DocumentSelector = { scheme: 'file', language: 'agent-config' };

/** Documents that show a string of a JSON file, and links to them in the file itself: a lens above each, an action at the caret. */
export function registerTextDocuments(_client: Services): vscode.Disposable {
  const changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  let loading: Promise<TextFiles> | undefined;
  const files = () => {
    loading ??= import('./textFiles.js').then((module) => new module.TextFiles(changes));
    return loading;
  };
  const noFolders = () => {
    throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Texts of agent files are added and removed in the files themselves.'));
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changes.event,
    // Readers of a text are notified of changes until the document is closed.
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await files()).stat(uri),
    readFile: async (uri) => (await files()).readFile(uri),
    writeFile: async (uri, bytes) => (await files()).writeFile(uri, bytes),
    readDirectory: () => [],
    createDirectory: noFolders,
    delete: noFolders,
    rename: noFolders,
  };
  return vscode.Disposable.from(
    changes,
    { dispose: () => void loading?.then((opened) => opened.dispose()) },
    vscode.workspace.registerFileSystemProvider(textScheme, provider, { isCaseSensitive: true }),
    vscode.languages.registerCodeLensProvider(agentFiles, {
      provideCodeLenses: async (document) => (await import('./offerTexts.js')).provideTextLenses(document),
    }),
    vscode.languages.registerCodeActionsProvider(
      agentFiles,
      { provideCodeActions: async (document, range) => (await import('./offerTexts.js')).provideTextActions(document, range) },
      { providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite] },
    ),
  );
}
