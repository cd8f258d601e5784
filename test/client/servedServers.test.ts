import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { McpServerProvider } from '../../client/views/served/mcpServers.js';
import { repository, toneAgent } from '../cli/command.js';
import { exposedProject, key } from '../serve/support.js';

const state = vi.hoisted(() => ({ isTrusted: true, provider: undefined as unknown, listeners: [] as (() => void)[] }));

vi.mock('vscode', () => {
  class Disposable {
    static from = () => new Disposable();
    dispose = () => undefined;
  }
  class EventEmitter {
    event = (listener: () => void) => state.listeners.push(listener);
    fire = () => {
      for (const listener of state.listeners) listener();
    };
  }
  class McpStdioServerDefinition {
    readonly label: string;
    readonly command: string;
    readonly args: string[];
    env: Record<string, string>;
    constructor(label: string, command: string, args: string[], env: Record<string, string>) {
      this.label = label;
      this.command = command;
      this.args = args;
      this.env = env;
    }
  }
  return {
    Disposable,
    EventEmitter,
    McpStdioServerDefinition,
    Uri: { file: (fsPath: string) => ({ fsPath }) },
    l10n: { t: (text: string, ...values: string[]) => text.replace('{0}', values[0] ?? '') },
    lm: {
      registerMcpServerDefinitionProvider(_id: string, provider: unknown) {
        state.provider = provider;
        return new Disposable();
      },
    },
    workspace: {
      get isTrusted() {
        return state.isTrusted;
      },
      textDocuments: [],
      getConfiguration: () => ({ get: (_name: string, fallback: string) => fallback }),
      onDidGrantWorkspaceTrust: () => new Disposable(),
      onDidChangeWorkspaceFolders: () => new Disposable(),
      onDidSaveTextDocument: () => new Disposable(),
    },
  };
});

const { mcpServers } = await import('../../client/views/served/mcpServers.js');
const { ProjectFolder } = await import('../../client/projects.js');

/** The provider that the extension registers for projects, with these stored keys. */
function providerFor(roots: readonly string[], stored: Readonly<Record<string, string>> = {}): McpServerProvider {
  mcpServers({
    projects: { list: async () => roots.map((root) => new ProjectFolder(root)), of: () => undefined },
    extension: {
      extensionPath: repository,
      extension: { packageJSON: { version: '1' } },
      secrets: { get: async (name: string) => stored[name] },
    },
  } as never);
  return state.provider as McpServerProvider;
}

beforeEach(() => {
  state.isTrusted = true;
});

describe('the MCP servers that VS Code is offered', () => {
  test('are the projects that expose something, and work with the keys that they name and no others', async () => {
    const profile = { llm_id: 'real', provider: 'openai', model_name: 'gpt-4.1-mini', api_key: 'secret://team.key' };
    const agent = { ...toneAgent, expose: true, llm_config_id: 'offline' };
    const cwd = exposedProject({ 'config/llms/real.json': profile, 'config/agents/Tone/v1.json': agent });
    const provider = providerFor([cwd, exposedProject({ 'config/agents/Tone/v1.json': toneAgent })], {
      'agentStack.secret.team.key': key,
      'agentStack.secret.another': 'sk-of-another-project',
    });
    const [definition, ...more] = await provider.provideMcpServerDefinitions({} as never);
    expect(more).toEqual([]);
    expect(definition?.args.slice(1)).toEqual(['serve', '--mcp', '--project', cwd]);
    expect(JSON.stringify(definition)).not.toContain(key);
    const resolved = await provider.resolveMcpServerDefinition(definition!, {} as never);
    expect(resolved?.env).toEqual({ AGENT_STACK_TRUST: '1', TEAM_KEY: key });

    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: resolved!.command, args: resolved!.args, env: resolved!.env as never, stderr: 'ignore' }),
    );
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['Tone']);
    expect((await client.callTool({ name: 'Tone', arguments: { text: 'A friendly hello' } })).structuredContent).toEqual({
      tone: 'friendly',
    });
  });

  test('are none in a workspace that is not trusted, not even one that was offered before', async () => {
    const provider = providerFor([exposedProject()]);
    const [definition] = await provider.provideMcpServerDefinitions({} as never);
    state.isTrusted = false;
    expect(await provider.provideMcpServerDefinitions({} as never)).toEqual([]);
    expect(await provider.resolveMcpServerDefinition(definition!, {} as never)).toBeUndefined();
  });
});
