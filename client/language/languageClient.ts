import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  type StaticFeature,
  TransportKind,
} from 'vscode-languageclient/node';
import { tellRefusal } from './refusals.js';

/**
 * The client of dist/server.cjs, not started yet. In a separate module, since the library takes longer to load than everything else.
 *
 * @param onReady called each time the server has started and its features are registered
 * @param onEnd called when the server has ended, by itself or not; the client does not start it again
 * @param isMoving whether an edit of the server's own is moving files, for which it has no further edits
 */
export function createLanguageClient(
  extension: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  { onReady, onEnd, isMoving }: { readonly onReady: () => void; readonly onEnd: () => void; readonly isMoving: () => boolean },
): LanguageClient {
  const { version } = extension.extension.packageJSON as { readonly version: string };
  const trust = vscode.workspace.isTrusted ? 'trusted' : 'not trusted';
  log.info(`Agent Stack ${version}, ${vscode.env.appName} ${vscode.version}; the workspace is ${trust}.`);
  const module = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'server.cjs').fsPath;
  const client = new QuietClient(
    'agentStack',
    'Agent Stack',
    { module, transport: TransportKind.ipc },
    {
      documentSelector: [{ scheme: 'file', language: 'agent-config' }],
      outputChannel: log,
      diagnosticCollectionName: 'agentstack',
      // Computed for each start: the server runs git only in trusted workspaces.
      initializationOptions: () => ({ trusted: vscode.workspace.isTrusted, bundle: vscode.l10n.uri?.fsPath }),
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      // The library stops its client after two failed writes, and takes the end of the server that they announce for its own doing.
      errorHandler: { error: () => ({ action: ErrorAction.Continue }), closed: () => ({ action: CloseAction.DoNotRestart }) },
      middleware: {
        resolveCodeAction: (action, token, next) => tellRefusal(next(action, token)),
        executeCommand: (command, args, next) => tellRefusal(next(command, args)),
        workspace: { willRenameFiles: async (event, next) => (isMoving() ? null : ((await tellRefusal(next(event))) ?? null)) },
      },
      markdown: { isTrusted: false, supportHtml: false },
    },
  );
  // Features are initialized in the order of their registration, those of the library first.
  client.registerFeature({ ...ownCommands, initialize: onReady });
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Stopped || newState === State.StartFailed) onEnd();
  });
  return client;
}

/** A failure is logged; what a user can do something about is told by us. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** Tells the server which commands its lenses and fixes may name, and that it sends the diagnostics of all files, open or not. */
const ownCommands: Omit<StaticFeature, 'initialize'> = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = {
      ...capabilities.experimental,
      commands: {
        commands: [
          'agentStack.showReferences',
          'agentStack.showToolDifference',
          'agentStack.labelTool',
          'agentStack.compareMovedPrompt',
          'agentStack.migrateModel',
        ],
      },
      projectDiagnostics: true,
    };
  },
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};
