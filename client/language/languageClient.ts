import * as vscode from 'vscode';
import { LanguageClient, type StaticFeature, TransportKind } from 'vscode-languageclient/node';

/** The client of dist/server.cjs, not started yet. A module of its own, since the library takes longer to load than all the rest. */
export function createLanguageClient(extension: vscode.ExtensionContext, log: vscode.LogOutputChannel): LanguageClient {
  const module = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'server.cjs').fsPath;
  const client = new LanguageClient(
    'agentStack',
    'Agent Stack',
    { module, transport: TransportKind.ipc },
    {
      documentSelector: [{ scheme: 'file', language: 'agent-config' }],
      outputChannel: log,
      diagnosticCollectionName: 'agentstack',
      diagnosticPullOptions: { onChange: true, onSave: false, onTabs: false },
      markdown: { isTrusted: false, supportHtml: false },
    },
  );
  client.registerFeature(ownCommands);
  return client;
}

/** Tells the server which commands its lenses and fixes may name. */
const ownCommands: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = {
      ...capabilities.experimental,
      commands: { commands: ['agentStack.showReferences', 'agentStack.showToolDifference'] },
    };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};
