import type { FinalEvent } from '../agent/events.js';
import { toRunError } from '../agent/runResult.js';
import type { Agent } from '../agent/types.js';
import { StorageError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import { type ConnectOptions, connectAgents } from '../run/connectAgents.js';
import { prepareRun } from '../run/prepareRun.js';
import type { RunRecording, TeamRunRecording } from '../run/readRecording.js';
import {
  type RecordedAgents,
  type RecordedRun,
  recordAgents,
  recordPrepared,
  replayAgents,
  replayPrepared,
  type TakeOverAt,
} from '../run/recordedAgents.js';
import type { Recording } from '../run/recording.js';
import { withoutWaiting } from '../run/replay.js';
import { requireKeys } from '../run/requireKeys.js';
import type { Orchestration } from '../team/types.js';
import type { RecordFiles } from './adapters.js';
import type { RunOptions } from './types.js';

interface RecordOptions {
  readonly record: string | undefined;
  readonly replay: RunOptions['replay'];
  readonly fork: ForkSide | undefined;
}

/** The record that a fork takes its answers from. */
export interface ForkSide extends Pick<TakeOverAt, 'began' | 'diverged'> {
  readonly recording: RunRecording | TeamRunRecording;
  /** Nothing is called: the record answers in its order. */
  readonly isDry: boolean;
}

interface Recorded {
  readonly records: RecordFiles;
}

const nothingToEnd = async () => undefined;

/** Connects an agent to models and tools, or to a record that answers instead. */
export async function prepareAgent(
  agent: Agent,
  options: Parameters<typeof prepareRun>[1] & Recorded,
  { record, replay, fork, payload }: RecordOptions & { readonly payload: JsonObject },
): Promise<RecordedRun> {
  const { ports, records } = options;
  if (replay !== undefined) return { prepared: replayPrepared(agent, recordingIn(replay, records), ports), end: nothingToEnd };
  const taken = fork && takeOverOf(fork, options);
  const prepared = taken
    ? { ...replayPrepared(agent, fork.recording, ports, taken), ports: withoutWaiting(ports, taken.isLive) }
    : await prepareRun(agent, options);
  return record === undefined
    ? { prepared, end: nothingToEnd }
    : recordPrepared(agent, prepared, { writer: records.create(record), secrets: ports.knownSecrets, payload });
}

/** The same for the agents of an orchestration. */
export async function prepareAgents(
  { agents, snapshot }: Orchestration,
  options: ConnectOptions & Recorded,
  { record, replay, fork, input, cancel }: RecordOptions & { readonly input: JsonObject | undefined; readonly cancel: () => void },
): Promise<RecordedAgents & { readonly ports: Ports }> {
  const { records, ports } = options;
  const identity = { kind: 'orchestration', name: snapshot.value.name, version: null, snapshot_hash: snapshot.hash } as const;
  if (replay !== undefined)
    return { ...replayAgents(identity, recordingIn(replay, records), cancel), end: nothingToEnd, ports: withoutWaiting(ports) };
  const taken = fork && takeOverOf(fork, options);
  if (!fork?.isDry) await requireKeys(agents.values(), options);
  const connected = taken ? replayAgents(identity, fork.recording, cancel, taken) : { connectAgent: connectAgents(options) };
  const timed = taken ? withoutWaiting(ports, taken.isLive) : ports;
  if (record === undefined) return { ...connected, end: nothingToEnd, ports: timed };
  const recorded = recordAgents(identity, connected, {
    writer: records.create(record),
    secrets: ports.knownSecrets,
    asks: options.approve !== undefined,
    input,
    overrides: snapshot.overrides,
  });
  return { ...recorded, ports: timed };
}

/** @returns `isLive`: whether anything is called by now */
function takeOverOf({ diverged, began, isDry }: ForkSide, options: ConnectOptions): TakeOverAt & { readonly isLive: () => boolean } {
  let hasDiverged = false;
  return {
    ...(began && { began }),
    diverged(...divergence) {
      hasDiverged = true;
      diverged(...divergence);
    },
    connect: isDry ? undefined : connectAgents(options),
    isLive: () => hasDiverged && !isDry,
  };
}

function recordingIn(replay: NonNullable<RunOptions['replay']>, records: RecordFiles): RunRecording | TeamRunRecording {
  return typeof replay === 'string' ? records.read(replay) : replay;
}

/** Ends a record. If that fails, the paid answer is returned nevertheless, in a result that reports the failure. */
export async function endRecord(event: FinalEvent, recording: Pick<Recording, 'end'>): Promise<FinalEvent> {
  try {
    await recording.end(event.result);
    return event;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (event.result.error !== null) return event;
    return { ...event, result: { ...event.result, success: false, status: 'failed', error: toRunError(error) } };
  }
}
