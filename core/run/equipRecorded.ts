import type { RunResult } from '../agent/events.js';
import type { Agent, EquipAgent } from '../agent/types.js';
import { equipAgents, type SharedEquipment } from './equipAgents.js';
import { type EquipOptions, type EquippedRun, equipRun } from './equipRun.js';
import type { RunRecording, TeamRunRecording } from './readRecording.js';
import type { RecordWriter } from './recording.js';
import type { TeamRecordHeader } from './recordLines.js';
import { withoutWaiting } from './replay.js';
import { recordTeam } from './teamRecording.js';
import { type ReplayPart, replayTeam } from './teamReplay.js';

/** What the run of an orchestration works with when it is recorded, or answered from a record. */
export interface RecordedAgents {
  readonly equip: EquipAgent;
  /** To be told how the run ended. @throws StorageError */
  end(result: RunResult): Promise<void>;
}

type RunIdentity = Omit<TeamRecordHeader, 'format' | 'asks'>;

/** Writes down all that agents of a run exchange with the outside. */
export function recordAgents(run: RunIdentity, options: SharedEquipment, writer: RecordWriter): RecordedAgents {
  const recording = recordTeam({ ...run, asks: options.approve !== undefined }, writer, options.ports.knownSecrets);
  const base = equipAgents(options);
  return {
    equip: async (agent, at) => recording.part(at ?? nameOf(agent), agent, await base(agent)),
    end: (result) => recording.end(result),
  };
}

/**
 * What the agents of a run work with when a record answers.
 *
 * @param cancel ends the whole run as a cancelled one, where the recorded run was cancelled
 * @throws ReplayMismatchError when the record is of something else
 */
export function replayAgents(run: RunIdentity, recording: RunRecording | TeamRunRecording, cancel: () => void): EquipAgent {
  return byPlace(replayTeam(recording, { ...run, cancel }));
}

/** As `equipRun`, for an agent whose plan calls others: all of them are in the record. @throws as `equipRun` */
export async function equipRecordedPlan(agent: Agent, options: EquipOptions): Promise<EquippedRun> {
  const { record, replay, ...rest } = options;
  const { agent_name, version } = agent.resolved.config;
  const run: RunIdentity = { kind: 'agent', name: agent_name, version, snapshot_hash: agent.snapshot.hash };
  if (replay) {
    const cancelled = new AbortController();
    const part = replayTeam(replay, { ...run, cancel: () => cancelled.abort() });
    const equipment = { ...part('', agent), equip: byPlace(part), ports: withoutWaiting(options.ports), signal: cancelled.signal };
    return { equipment, end: async () => undefined };
  }
  const { equipment } = await equipRun(agent, rest);
  const { llm, openTools, approve, sessions } = equipment;
  if (!record || llm === undefined) return { equipment, end: async () => undefined };
  const recording = recordTeam({ ...run, asks: approve !== undefined }, await record(), rest.ports.knownSecrets);
  const base = equipAgents(rest);
  const own = { llm, ...(openTools && { openTools }), ...(approve && { approve }), ...(sessions && { sessions }) };
  return {
    equipment: {
      ...recording.part('', agent, own),
      equip: async (called) => recording.part(nameOf(called), called, await base(called)),
    },
    end: (result) => recording.end(result),
  };
}

function byPlace(part: ReplayPart): EquipAgent {
  return (agent, at) => {
    const { llm, openTools, approve } = part(at ?? nameOf(agent), agent);
    return { llm, ...(openTools && { openTools }), ...(approve && { approve }) };
  };
}

function nameOf({ resolved: { config } }: Agent): string {
  return `${config.agent_name}@${config.version}`;
}
