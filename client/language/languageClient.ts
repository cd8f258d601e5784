import * as vscode from 'vscode';
import { LanguageClient, type StaticFeature, TransportKind } from 'vscode-languageclient/node';

/**
 * The client of dist/server.cjs, not started yet. A module of its own, since the library takes longer to load than all the rest.
 *
 * @param onReady each time the server has started and its features are registered
 */
export function createLanguageClient(
  extension: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  onReady: () => void,
): LanguageClient {
  const module = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'server.cjs').fsPath;
  const client = new LanguageClient(
    'agentStack',
    'Agent Stack',
    { module, transport: TransportKind.ipc },
    {
      documentSelector: [{ scheme: 'file', language: 'agent-config' }],
      outputChannel: log,
      diagnosticCollectionName: 'agentstack',
      // Computed for each start: the server runs git only in trusted workspaces.
      initializationOptions: () => ({ trusted: vscode.workspace.isTrusted }),
      diagnosticPullOptions: { onChange: true, onSave: false, onTabs: false },
      markdown: { isTrusted: false, supportHtml: false },
    },
  );
  // Features are initialized in the order of their registration, those of the library first.
  client.registerFeature({ ...ownCommands, initialize: onReady });
  return client;
}

/** Tells the server which commands its lenses and fixes may name. */
const ownCommands: Omit<StaticFeature, 'initialize'> = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = {
      ...capabilities.experimental,
      commands: { commands: ['agentStack.showReferences', 'agentStack.showToolDifference'] },
    };
  },
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};
