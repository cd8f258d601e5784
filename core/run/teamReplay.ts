import type { Agent } from '../agent/types.js';
import { ReplayMismatchError } from '../errors.js';
import type { RunRecording, TeamRunRecording } from './readRecording.js';
import type { RunConnections } from './recording.js';
import type { TeamRecordHeader } from './recordLines.js';
import { replayRun } from './replay.js';

export interface TeamReplayOptions extends Pick<TeamRecordHeader, 'kind' | 'name' | 'snapshot_hash'> {
  /** Ends the whole run as a cancelled one, where the recorded run was cancelled. */
  readonly cancel: () => void;
}

/** Connects an agent at its place to the record. A place that is asked for again continues where it was. */
export type ReplayPart = (at: string, agent: Agent) => RunConnections;

/**
 * As `replayRun`, for a run in which several agents work: each place has the answers that were recorded there, in their order.
 * @throws ReplayMismatchError when the record is of something else
 */
export function replayTeam(
  recording: RunRecording | TeamRunRecording,
  { kind, name, snapshot_hash, cancel }: TeamReplayOptions,
): ReplayPart {
  const { header } = recording;
  const recorded = header.format === 2 ? { kind: header.kind, name: header.name } : { kind: 'agent', name: header.agent_name };
  if (!('parts' in recording) || recorded.kind !== kind || recorded.name !== name) {
    const wanted = `the ${kind} ${name}`;
    const found = `the ${recorded.kind} ${recorded.name}`;
    throw new ReplayMismatchError(
      found === wanted
        ? `The record is of ${found} when its plan called no other agent. Record the run again.`
        : `The record is of ${found}, not of ${wanted}.`,
      [`/name: ${JSON.stringify(recorded.name)} was recorded, now ${JSON.stringify(name)}`],
    );
  }
  const replays = new Map<string, RunConnections>();
  return (at, agent) => {
    const known = replays.get(at);
    if (known) return known;
    const { agent_name, version } = agent.resolved.config;
    const part = recording.parts.get(at) ?? nothing(recording);
    // The orchestration says which agent works here; another agent shows as a difference in its requests.
    const own = { ...part, header: { ...part.header, agent_name } };
    const replay = replayRun(own, { agent_name, version, snapshot_hash, cancel });
    replays.set(at, replay);
    return replay;
  };
}

/** Of a place where nothing was recorded. */
function nothing({ header: { snapshot_hash, asks }, end }: TeamRunRecording): RunRecording {
  const header = { format: 1, agent_name: '', version: '', snapshot_hash, asks, tools: [] } as const;
  return { header, lines: end?.status === 'cancelled' ? [{ end }] : [] };
}
