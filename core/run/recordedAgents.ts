import type { RunResult } from '../agent/events.js';
import type { Agent, ConnectAgent } from '../agent/types.js';
import { ReplayMismatchError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { isFree } from '../llm/price.js';
import type { KnownSecrets, Ports } from '../ports.js';
import { coverValue } from '../secrets/coverValue.js';
import type { CallOverrides } from '../snapshot/types.js';
import type { PreparedRun } from './prepareRun.js';
import type { RunRecording, TeamRunRecording } from './readRecording.js';
import { endOf, inOrder, type Lines, type RecordWriter, type RunConnections, recordConnections, recordRun } from './recording.js';
import { type OpenedAgent, type RecordHeader, type TeamRecordHeader, toRecordedTool } from './recordLines.js';
import { replayRun, withoutWaiting } from './replay.js';

type RunIdentity = Omit<TeamRecordHeader, 'format' | 'asks' | 'input' | 'overrides'>;

/** The agents of an orchestration whose exchanges are recorded. */
export interface RecordedAgents {
  readonly connectAgent: ConnectAgent;
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
  connectAgent: ConnectAgent,
  { writer, secrets, asks, ...call }: { readonly asks: boolean } & RecordedCallOf & RecordTarget,
): RecordedAgents {
  const recording = recordTeam({ ...run, asks, ...toRecordedCall(call) }, writer, secrets);
  return {
    connectAgent: async (agent, place) => recording.part(place ?? nameOf(agent), agent, await connectAgent(agent, place)),
    end: (result) => recording.end(result),
  };
}

/**
 * Connects the agents of a run to a record that answers instead of models, tools and servers.
 *
 * @param cancel cancels the whole run, if the recorded run was cancelled
 * @throws ReplayMismatchError if the record is of something else
 */
export function replayAgents(run: RunIdentity, recording: RunRecording | TeamRunRecording, cancel: () => void): ConnectAgent {
  return byPlace(replayTeam(recording, { ...run, cancel }));
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
export function replayPrepared(agent: Agent, recording: RunRecording | TeamRunRecording, ports: Ports): PreparedRun {
  const cancelled = new AbortController();
  const cancel = () => cancelled.abort();
  const common = { ports: withoutWaiting(ports), signal: cancelled.signal };
  if (!agent.agents)
    return { ...replayRun(recording, { ...recordedAgent(agent), anyModel: isFree(agent.resolved.llm), cancel }), ...common };
  const part = replayTeam(recording, { ...identityOf(agent), cancel });
  return { ...part('', agent), connectAgent: byPlace(part), ...common };
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
    end: (result) => add(endOf(result)),
  };
}

interface TeamReplayOptions extends Pick<TeamRecordHeader, 'kind' | 'name' | 'snapshot_hash'> {
  /** Cancels the whole run, if the recorded run was cancelled. */
  readonly cancel: () => void;
}

/** Connects an agent at its place to the record. A repeated place continues where it was. */
type ReplayPart = (at: string, agent: Agent) => RunConnections;

/**
 * As `replayRun`, for a run of several agents: each place gets the answers that were recorded there, in order.
 * @throws ReplayMismatchError if the record is of something else
 */
function replayTeam(recording: RunRecording | TeamRunRecording, { kind, name, snapshot_hash, cancel }: TeamReplayOptions): ReplayPart {
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
    const replay = replayRun(ofAgent, { agent_name, version, snapshot_hash, anyModel: isFree(agent.resolved.llm), cancel });
    replays.set(at, replay);
    return replay;
  };
}

/** The part of a place without recorded exchanges. */
function emptyPart({ header: { snapshot_hash, asks }, end }: TeamRunRecording): RunRecording {
  const header = { format: 1, agent_name: '', version: '', snapshot_hash, asks, tools: [] } as const;
  return { header, lines: end?.status === 'cancelled' ? [{ end }] : [] };
}
