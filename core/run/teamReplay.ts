import type { Agent } from '../agent/types.js';
import { ReplayMismatchError } from '../errors.js';
import { isFree } from '../llm/price.js';
import type { RunRecording, TeamRunRecording } from './readRecording.js';
import type { RunConnections } from './recording.js';
import type { TeamRecordHeader } from './recordLines.js';
import { replayRun } from './replay.js';

export interface TeamReplayOptions extends Pick<TeamRecordHeader, 'kind' | 'name' | 'snapshot_hash'> {
  /** Cancels the whole run, if the recorded run was cancelled. */
  readonly cancel: () => void;
}

/** Connects an agent at its place to the record. A repeated place continues where it was. */
export type ReplayPart = (at: string, agent: Agent) => RunConnections;

/**
 * As `replayRun`, for a run of several agents: each place gets the answers that were recorded there, in order.
 * @throws ReplayMismatchError if the record is of something else
 */
export function replayTeam(
  recording: RunRecording | TeamRunRecording,
  { kind, name, snapshot_hash, cancel }: TeamReplayOptions,
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
