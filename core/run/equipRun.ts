import type { RunResult } from '../agent/events.js';
import { connect, type Equipment } from '../agent/startRun.js';
import type { Agent } from '../agent/types.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { McpInput } from '../generated/types.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { FileSystem, MaybePromise, Ports } from '../ports.js';
import type { ResolveInput } from '../tools/mcp/resolveServer.js';
import type { TrustedTools } from '../tools/openTools.js';
import type { ApproveTool, OpenTools, Tool } from '../tools/types.js';
import type { RunRecording, TeamRunRecording } from './readRecording.js';
import { type RecordWriter, recordRun } from './recording.js';
import { replayRun, withoutWaiting } from './replay.js';
import { createSessionStore, sessionPath } from './sessionStore.js';

export interface EquipOptions {
  readonly ports: Ports;
  readonly providers: readonly LlmProvider[];
  /** Of the embedder. */
  readonly tools: readonly Tool[];
  readonly resolveInput: ResolveInput;
  readonly trusted?: TrustedTools | undefined;
  readonly approve?: ApproveTool | undefined;
  readonly session_id?: string | undefined;
  /** `none`: what the session remembers is read, and nothing added. */
  readonly keep: 'folder' | 'none';
  /** `inputs` of mcp.json; asked for when the agent has servers. */
  readonly inputs: () => MaybePromise<readonly McpInput[]>;
  /** Makes the file of a record; asked for once nothing stands in the way of the run. */
  readonly record?: (() => MaybePromise<RecordWriter>) | undefined;
  readonly replay?: RunRecording | TeamRunRecording | undefined;
}

export interface EquippedRun {
  readonly equipment: Equipment;
  /** To be told how the run ended. @throws StorageError */
  end(result: RunResult): Promise<void>;
}

/**
 * What one run of an agent works with: its model, tools and session, or a record in place of them all.
 * @throws InputInvalidError for a session id that is no name, StorageError for a record that cannot be written, ReplayMismatchError
 */
export async function equipRun(agent: Agent, options: EquipOptions): Promise<EquippedRun> {
  const { ports, providers, approve, session_id, keep, record, replay } = options;
  if (session_id !== undefined) sessionPath(session_id);
  const { agent_name, version } = agent.resolved.config;
  const identity = { agent_name, version, snapshot_hash: agent.snapshot.hash };
  if (replay) {
    const cancelled = new AbortController();
    return {
      equipment: {
        ...replayRun(replay, { ...identity, cancel: () => cancelled.abort() }),
        ports: withoutWaiting(ports),
        signal: cancelled.signal,
      },
      end: async () => undefined,
    };
  }
  const store = createSessionStore(ports);
  const equipment = {
    llm: connect(agent, ports, providers),
    sessions: keep === 'none' ? { ...store, append: async () => undefined } : store,
    ...(agent.resolved.config.agent_type !== 'single_shot' && { openTools: await toolsOf(agent, options) }),
    ...(approve && { approve }),
  };
  if (!record) return { equipment, end: async () => undefined };
  const recording = recordRun(identity, equipment, await record(), ports.knownSecrets);
  return { equipment: recording.equipment, end: (result) => recording.end(result) };
}

/** Tools are loaded with the first agent that can have some. */
async function toolsOf(agent: Agent, { ports, tools, resolveInput, trusted, inputs }: EquipOptions): Promise<OpenTools> {
  const [{ createOpenTools }, { createBuiltInTools }] = await Promise.all([
    import('../tools/openTools.js'),
    import('../tools/builtIn/index.js'),
  ]);
  const hasServers = Object.keys(agent.resolved.servers).length > 0;
  return createOpenTools({
    agent: agent.resolved,
    ports,
    builtIn: (resources) => createBuiltInTools({ files: ports.files, clock: ports.clock, resources: hasServers ? resources : undefined }),
    skills: tools,
    inputs: hasServers ? await inputs() : [],
    resolveInput,
    ...(trusted && { trusted }),
  });
}

/** The `inputs` that mcp.json defines, as far as they are defined. */
export async function readMcpInputs(files: FileSystem): Promise<readonly McpInput[]> {
  const mcp = (await loadProjectIndex(files)).value('mcp', 'mcp');
  // The file has passed its schema where a run gets this far.
  return Array.isArray(mcp?.inputs) ? (mcp.inputs as unknown as readonly McpInput[]) : [];
}
