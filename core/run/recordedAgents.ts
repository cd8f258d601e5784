import type { RunResult } from '../agent/events.js';
import type { EditLog } from '../agent/gate.js';
import type { Agent, ConnectAgent } from '../agent/types.js';
import { chooseAgentTools } from '../config/agentToolChoice.js';
import { ReplayMismatchError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { isFree } from '../llm/price.js';
import type { KnownSecrets, Ports } from '../ports.js';
import { coverValue } from '../secrets/coverValue.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { CallOverrides } from '../snapshot/types.js';
import type { PreparedRun } from './prepareRun.js';
import type { RunRecording, TeamRunRecording } from './readRecording.js';
import {
  endOf,
  inOrder,
  type Lines,
  type RecordWriter,
  type RunConnections,
  recordConnections,
  recordEdits,
  recordRun,
} from './recording.js';
import { type OpenedAgent, type RecordedTool, type RecordHeader, type TeamRecordHeader, toRecordedTool } from './recordLines.js';
import { editsIn, replayRun, withoutWaiting } from './replay.js';
import type { Divergence, TakeOver } from './takeOver.js';

type RunIdentity = Omit<TeamRecordHeader, 'format' | 'asks' | 'input' | 'overrides'>;

/** The agents of an orchestration, connected to the outside or to a record. */
export interface ConnectedAgents {
  readonly connectAgent: ConnectAgent;
  /** Where changes at its routes go, or come from. */
  readonly edits?: EditLog;
}

/** The agents of an orchestration whose exchanges are recorded. */
export interface RecordedAgents extends ConnectedAgents {
  /** Records how the run ended. @throws StorageError */
  end(result: RunResult): Promise<void>;
}

/** The run of an agent whose exchanges, and those of the agents that its plan calls, are recorded. */
export interface RecordedRun {
  readonly prepared: PreparedRun;
  /** Records how the run ended. @throws StorageError */
  end(result: RunResult): Promise<void>;
}

/** What a run was called with, so that a replay can repeat it. */
interface RecordedCallOf {
  readonly input: JsonObject | undefined;
  readonly overrides: CallOverrides | undefined;
}

/** Destination of a record. */
interface RecordTarget {
  readonly writer: RecordWriter;
  /** Secrets to mask wherever they appear. */
  readonly secrets: KnownSecrets | undefined;
}

/** Records what all agents of an orchestration exchange with the outside. @param asks whether a person approves tool calls */
export function recordAgents(
  run: RunIdentity,
  { connectAgent, edits }: ConnectedAgents,
  { writer, secrets, asks, ...call }: { readonly asks: boolean } & RecordedCallOf & RecordTarget,
): RecordedAgents {
  const recording = recordTeam({ ...run, asks, ...toRecordedCall(call) }, writer, secrets);
  return {
    connectAgent: async (agent, place) => recording.part(place ?? nameOf(agent), agent, await connectAgent(agent, place)),
    edits: { ...edits, ...recording.edits },
    end: (result) => recording.end(result),
  };
}

/** The first request of each place that the record does not answer, and what takes over there. */
export interface TakeOverAt {
  /** An agent begins at a place, for the first time. */
  began?(place: string, agent: Agent): void;
  /** @param place as in the record; empty for the run of an agent */
  diverged(place: string, divergence: Divergence, agent: Agent): void;
  /** Connects agents to their models and tools. Absent: nothing is called, as in `TakeOver`. */
  readonly connect?: ConnectAgent | undefined;
}

/**
 * Connects the agents of a run to a record that answers instead of models, tools and servers.
 *
 * @param cancel cancels the whole run, if the recorded run was cancelled
 * @throws ReplayMismatchError if the record is of something else
 */
export function replayAgents(
  run: RunIdentity,
  recording: RunRecording | TeamRunRecording,
  cancel: () => void,
  takeOver?: TakeOverAt,
): ConnectedAgents {
  const connectAgent = byPlace(replayTeam(recording, { ...run, cancel, takeOver }));
  const edits = 'parts' in recording && editsIn({ lines: recording.parts.get('')?.lines ?? [] }, () => 0);
  return { connectAgent, ...(edits && { edits }) };
}

/** Records what a prepared run exchanges with the outside. */
export function recordPrepared(
  agent: Agent,
  prepared: PreparedRun,
  { writer, secrets, payload }: { readonly payload: JsonObject } & RecordTarget,
): RecordedRun {
  const { connectAgent, ...connections } = prepared;
  const call = toRecordedCall({ input: payload, overrides: agent.snapshot.overrides });
  if (!connectAgent) {
    const recorded = recordRun({ ...recordedAgent(agent), ...call }, connections, writer, secrets);
    return { prepared: recorded.connections, end: recorded.end };
  }
  const recording = recordTeam({ ...identityOf(agent), asks: connections.approve !== undefined, ...call }, writer, secrets);
  return {
    prepared: {
      ...recording.part('', agent, connections),
      connectAgent: async (called) => recording.part(nameOf(called), called, await connectAgent(called)),
    },
    end: (result) => recording.end(result),
  };
}

/** A run that a record answers, including its session. @throws ReplayMismatchError if the record is of something else */
export function replayPrepared(
  agent: Agent,
  recording: RunRecording | TeamRunRecording,
  ports: Ports,
  takeOver?: TakeOverAt,
): Omit<PreparedRun, 'ports'> & { readonly ports: Ports } {
  const cancelled = new AbortController();
  const cancel = () => cancelled.abort();
  const common = { ports: withoutWaiting(ports), signal: cancelled.signal };
  if (!agent.agents) {
    const anyModel = isFree(agent.resolved.llm);
    return { ...replayRun(recording, { ...recordedAgent(agent), anyModel, cancel, ...takeOverOf(agent, '', takeOver) }), ...common };
  }
  const part = replayTeam(recording, { ...identityOf(agent), cancel, takeOver });
  return { ...part('', agent), connectAgent: byPlace(part), ...common };
}

function takeOverOf(agent: Agent, place: string, takeOver: TakeOverAt | undefined): { readonly takeOver?: TakeOver } {
  if (takeOver === undefined) return {};
  const { connect } = takeOver;
  takeOver.began?.(place, agent);
  return {
    takeOver: {
      diverged: (divergence) => takeOver.diverged(place, divergence, agent),
      toolsNow: (recorded) => toolsNow(agent, recorded),
      ...(connect && { connect: () => connect(agent, place) }),
    },
  };
}

/** The tools that an agent has now, as far as they are known without starting its servers: those of a server that is not pinned are the recorded ones. */
function toolsNow({ resolved: { config, tools: frozen, unlisted } }: Agent, recorded: readonly RecordedTool[]) {
  const byName = new Map(recorded.map((tool) => [tool.name, tool]));
  const offered = recorded.flatMap((tool) => {
    const { origin } = tool;
    return origin.type === 'mcp' && unlisted.includes(origin.client_id) ? [{ name: origin.name, origin, recorded: tool }] : [];
  });
  const described = frozen.map(({ name, description, parameters, examples, origin }): RecordedTool => {
    const unknown = { idempotent: false, side_effects: true, needs_approval: true };
    return { ...unknown, ...byName.get(name), name, description, parameters, origin, ...(examples && { examples }) };
  });
  const ofServers = chooseAgentTools(offered, config).chosen.map(({ tool }) => tool.recorded);
  const now = new Map([...described, ...ofServers].map((tool) => [tool.name, tool]));
  const isChanged = now.size !== byName.size || [...now].some(([name, tool]) => shownOf(tool) !== shownOf(byName.get(name)));
  return { tools: isChanged ? [...now.values()] : recorded, isChanged };
}

/** What a model sees of a tool. */
function shownOf(tool: RecordedTool | undefined): string {
  const { description, parameters, examples = [] } = tool ?? {};
  return canonicalJson({ description: description ?? null, parameters: parameters ?? null, examples });
}

function toRecordedCall({ input, overrides }: RecordedCallOf): Pick<RecordHeader, 'input' | 'overrides'> {
  return { ...(input && { input: coverValue(input) }), ...(overrides && { overrides }) };
}

function byPlace(part: ReplayPart): ConnectAgent {
  return (agent, place) => {
    const { sessions: _none, ...connections } = part(place ?? nameOf(agent), agent);
    return connections;
  };
}

function identityOf(agent: Agent): RunIdentity {
  const { agent_name: name, ...identity } = recordedAgent(agent);
  return { kind: 'agent', name, ...identity };
}

function recordedAgent({ resolved, snapshot }: Agent) {
  const { agent_name, version } = resolved.config;
  return { agent_name, version, snapshot_hash: snapshot.hash };
}

function nameOf({ resolved: { config } }: Agent): string {
  return `${config.agent_name}@${config.version}`;
}

/** Records a run of several agents. */
interface TeamRecording {
  /** The connections of an agent at its place, with every exchange recorded. @param at as in the lines of the record */
  part(at: string, agent: Agent, connections: RunConnections): RunConnections;
  /** Of its routes. */
  readonly edits: EditLog;
  /** Writes the last line, how the run ended. @throws StorageError */
  end(result: RunResult): Promise<void>;
}

/** As `recordRun`, for an orchestration, or for an agent whose plan calls others: each line names its place. */
function recordTeam(run: Omit<TeamRecordHeader, 'format'>, writer: RecordWriter, secrets?: KnownSecrets): TeamRecording {
  const write = inOrder(writer, secrets);
  let begun: Promise<void> | undefined;
  const add = async (line: object): Promise<void> => {
    begun ??= write({ format: 2, ...run });
    await begun;
    await write(line);
  };
  return {
    part(at, agent, connections) {
      const { agent_name, version } = agent.resolved.config;
      const lines: Lines = {
        begin: (tools, error) => {
          const open: OpenedAgent = { agent_name, version, tools: tools.map(toRecordedTool), ...(error && { error }) };
          return add({ at, open });
        },
        add: (line) => add({ at, ...line }),
        secrets,
      };
      return recordConnections(connections, lines);
    },
    edits: recordEdits({ add: (line) => add({ at: '', ...line }) }),
    end: (result) => add(endOf(result)),
  };
}

interface TeamReplayOptions extends Pick<TeamRecordHeader, 'kind' | 'name' | 'snapshot_hash'> {
  /** Cancels the whole run, if the recorded run was cancelled. */
  readonly cancel: () => void;
  readonly takeOver?: TakeOverAt | undefined;
}

/** Connects an agent at its place to the record. A repeated place continues where it was. */
type ReplayPart = (at: string, agent: Agent) => RunConnections;

/**
 * As `replayRun`, for a run of several agents: each place gets the answers that were recorded there, in order.
 * @throws ReplayMismatchError if the record is of something else
 */
function replayTeam(
  recording: RunRecording | TeamRunRecording,
  { kind, name, snapshot_hash, cancel, takeOver }: TeamReplayOptions,
): ReplayPart {
  const { header } = recording;
  const recorded = header.format === 2 ? { kind: header.kind, name: header.name } : { kind: 'agent', name: header.agent_name };
  if (!('parts' in recording) || recorded.kind !== kind || recorded.name !== name) {
    const requested = `the ${kind} ${name}`;
    const actual = `the ${recorded.kind} ${recorded.name}`;
    throw new ReplayMismatchError(
      actual === requested
        ? `The record is of ${actual} when its plan called no other agent. Record the run again.`
        : `The record is of ${actual}, not of ${requested}.`,
      [`/name: ${JSON.stringify(recorded.name)} was recorded, now ${JSON.stringify(name)}`],
    );
  }
  const replays = new Map<string, RunConnections>();
  return (at, agent) => {
    const existing = replays.get(at);
    if (existing) return existing;
    const { agent_name, version } = agent.resolved.config;
    const part = recording.parts.get(at) ?? emptyPart(recording);
    // The orchestration defines which agent runs here; another agent shows as a difference in its requests.
    const ofAgent = { ...part, header: { ...part.header, agent_name } };
    const common = { agent_name, version, snapshot_hash, anyModel: isFree(agent.resolved.llm), cancel };
    const replay = replayRun(ofAgent, { ...common, ...takeOverOf(agent, at, takeOver) });
    replays.set(at, replay);
    return replay;
  };
}

/** The part of a place without recorded exchanges. */
function emptyPart({ header: { snapshot_hash, asks }, end }: TeamRunRecording): RunRecording {
  const header = { format: 1, agent_name: '', version: '', snapshot_hash, asks, tools: [] } as const;
  return { header, lines: end?.status === 'cancelled' ? [{ end }] : [] };
}
