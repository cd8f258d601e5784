import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { McpServer } from '../../../core/generated/types.js';
import type { Json, JsonObject } from '../../../core/json.js';
import { createNodePorts } from '../../../core/node/nodePorts.js';
import type { Ports } from '../../../core/ports.js';
import { createEnvironmentInputs } from '../../../core/tools/mcp/resolveServer.js';
import { ServerSession } from '../../../core/tools/mcp/serverSession.js';
import { createOpenTools, type OpenToolsOptions } from '../../../core/tools/openTools.js';
import type { Tool, ToolContext, ToolOutcome, ToolSet } from '../../../core/tools/types.js';
import { isRunning } from '../../support/processes.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';

const faulty = fileURLToPath(new URL('../../fixtures/mcp/server.mjs', import.meta.url));

export interface Setup {
  readonly root: string;
  readonly ports: Ports;
  /** What was logged, one `level message` a line. */
  log(): string;
  /** Ids of the processes that the faulty server has told of. */
  pids(): readonly number[];
  /** The faulty server. */
  server(faults?: readonly string[], definition?: Partial<McpServer>): McpServer;
}

/** A project folder, ports on it, and a check at the end of the test that no process is left. */
export function setup(variables: Readonly<Record<string, string>> = {}): Setup {
  const root = temporaryFolder();
  const lines: string[] = [];
  const environment = { ...process.env, ...variables };
  const ports = createNodePorts(root, {
    environment: { get: (name) => environment[name] },
    logger: { log: (level, message, fields) => void lines.push(`${level} ${message} ${JSON.stringify(fields)}`) },
  });
  const pidFile = join(root, 'pids');
  const pids = () => {
    try {
      return readFileSync(pidFile, 'utf8').trim().split('\n').map(Number);
    } catch {
      return [];
    }
  };
  onTestFinished(() => {
    expect(pids().filter(isRunning), 'processes that are left').toEqual([]);
  });
  return {
    root,
    ports,
    log: () => lines.join('\n'),
    pids,
    server: (faults = [], definition = {}) => ({
      command: process.execPath,
      args: [faulty, ...faults],
      ...definition,
      env: { PID_FILE: pidFile, ...definition.env },
    }),
  };
}

export function sessionOf({ ports }: Setup, definition: McpServer, given: Partial<ConstructorParameters<typeof ServerSession>[0]> = {}) {
  const session = new ServerSession({
    client_id: 'it',
    definition,
    inputs: [],
    resolveInput: createEnvironmentInputs(ports),
    ports,
    ...given,
  });
  onTestFinished(() => session.close());
  return session;
}

const require = createRequire(import.meta.url);
const manifests = {
  everything: require.resolve('@modelcontextprotocol/server-everything/package.json'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  memory: require.resolve('@modelcontextprotocol/server-memory/package.json'),
};

/** Command line of a server from npm, started as Node starts a script. */
export function npmServer(name: keyof typeof manifests, ...args: readonly string[]): McpServer {
  return { command: process.execPath, args: [join(dirname(manifests[name]), 'dist/index.js'), ...args] };
}

/** The tools of an agent with these servers; nothing is pinned unless a definition has `tools`. */
export async function open(
  { ports }: Setup,
  servers: Readonly<Record<string, McpServer & { readonly tools?: JsonObject }>>,
  options: Partial<OpenToolsOptions> & { readonly config?: JsonObject; readonly pinned?: OpenToolsOptions['agent']['tools'] } = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolSet> {
  const { config = {}, pinned = [], ...rest } = options;
  const openTools = createOpenTools({
    agent: {
      config: { agent_name: 'Tester', ...config } as unknown as OpenToolsOptions['agent']['config'],
      servers: servers as unknown as JsonObject,
      tools: pinned,
      protocols: {},
      unlisted: Object.keys(servers).filter((id) => servers[id]?.tools === undefined),
    },
    ports,
    builtIn: () => [],
    resolveInput: createEnvironmentInputs(ports),
    ...rest,
  });
  const run = { correlation_id: 'r', trace_id: 'r', timestamp: '2026-01-01T00:00:00Z' };
  const set = await openTools({ run_id: 'r', context: run, signal });
  onTestFinished(() => set.close());
  return set;
}

export function call(
  set: ToolSet | readonly Tool[],
  name: string,
  input: Json = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolOutcome> {
  const tools = 'tools' in set ? set.tools : set;
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}: ${tools.map((candidate) => candidate.name).join(', ')}`);
  const context: ToolContext = {
    run_id: 'r',
    step: 1,
    run: { correlation_id: 'r', trace_id: 'r', timestamp: '2026-01-01T00:00:00Z' },
    signal,
    logger: { log: () => undefined },
  };
  return tool.call(input as JsonObject, context);
}
