import { join } from 'node:path';
import * as vscode from 'vscode';
import { isConfigPath, type ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import type { View } from '../view.js';

/** What VS Code has for MCP servers of extensions since 1.101, as its API documents it; looked for, as the older ones lack it. */
interface McpApi {
  registerMcpServerDefinitionProvider?(id: string, provider: McpServerProvider): vscode.Disposable;
}

/** `McpStdioServerDefinition`. */
export interface StdioDefinition {
  readonly label: string;
  command: string;
  args: string[];
  env: Record<string, string | number | null>;
}

type NewDefinition = new (
  label: string,
  command: string,
  args: string[],
  env: Record<string, string | number | null>,
  version?: string,
) => StdioDefinition;

export interface McpServerProvider {
  readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
  provideMcpServerDefinitions(token: vscode.CancellationToken): Promise<StdioDefinition[]>;
  resolveMcpServerDefinition(server: StdioDefinition, token: vscode.CancellationToken): Promise<StdioDefinition | undefined>;
}

/** Id of the provider in package.json. */
const providerId = 'agentStack.agents';

/**
 * Offers each project that exposes something as an MCP server, which VS Code starts when a chat needs it: the command of this extension, `serve --mcp`. None before
 * the workspace is trusted, and none before VS Code 1.101.
 */
export const mcpServers: View = (services) => {
  const api = vscode.lm as unknown as McpApi;
  const { McpStdioServerDefinition: Definition } = vscode as unknown as { readonly McpStdioServerDefinition?: NewDefinition };
  if (api.registerMcpServerDefinitionProvider === undefined || Definition === undefined) return new vscode.Disposable(() => undefined);
  const changed = new vscode.EventEmitter<void>();
  const provider = createProvider(services, Definition, changed.event);
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    // A server lists its tools itself; here it matters only whether it has any.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isConfigPath(uri.path) && services.projects.of(uri) !== undefined) changed.fire();
    }),
    api.registerMcpServerDefinitionProvider(providerId, provider),
  );
};

function createProvider(
  services: Services,
  Definition: NewDefinition,
  onDidChangeMcpServerDefinitions: vscode.Event<void>,
): McpServerProvider {
  const folders = new Map<string, ProjectFolder>();
  return {
    onDidChangeMcpServerDefinitions,

    async provideMcpServerDefinitions() {
      if (!vscode.workspace.isTrusted) return [];
      const { exposesSomething } = await import('./mcpProject.js');
      const definitions: StdioDefinition[] = [];
      for (const folder of await services.projects.list()) {
        if (!(await exposesSomething(folder))) continue;
        const label = vscode.l10n.t('Agents of {0}', folder.name);
        folders.set(label, folder);
        const { command, args, env } = commandFor(services, folder);
        definitions.push(new Definition(label, command, args, env, services.extension.extension.packageJSON.version));
      }
      return definitions;
    },

    /** The keys come only now, as the server starts: nothing keeps them. */
    async resolveMcpServerDefinition(server) {
      const folder = folders.get(server.label);
      if (folder === undefined || !vscode.workspace.isTrusted) return undefined;
      const { keysForProcess } = await import('./mcpProject.js');
      server.env = { ...server.env, ...(await keysForProcess(services, folder)) };
      return server;
    },
  };
}

/** The process that this extension runs in is Node, or Electron, which can be. */
function commandFor({ extension }: Services, folder: ProjectFolder): Pick<StdioDefinition, 'command' | 'args' | 'env'> {
  const environment = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
  return {
    command: process.execPath,
    args: [
      join(extension.extensionPath, 'dist', 'cli.cjs'),
      'serve',
      '--mcp',
      '--project',
      folder.root,
      ...(environment === '' ? [] : ['--env', environment]),
    ],
    env: { AGENT_STACK_TRUST: '1', ...(process.versions.electron !== undefined && { ELECTRON_RUN_AS_NODE: '1' }) },
  };
}
