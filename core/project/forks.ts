import type { AgentEvent } from '../agent/events.js';
import { agentsOfSnapshot } from '../agent/load/agentsOfSnapshot.js';
import type { LoadedAgent } from '../agent/load/loadAgent.js';
import { Refused, unlessRefused } from '../agent/load/refused.js';
import type { Agent } from '../agent/types.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { InputInvalidError } from '../errors.js';
import { planFork } from '../fork/planFork.js';
import type { JsonObject } from '../json.js';
import { createModelTable } from '../llm/modelTable.js';
import type { FileSystem } from '../ports.js';
import { causeWords, findSnapshot } from '../run/changedSince.js';
import { findRunId } from '../run/findRun.js';
import { type RunRecording, recordedSession, type TeamRunRecording } from '../run/readRecording.js';
import { readRunFiles } from '../run/readRuns.js';
import type { Divergence } from '../run/takeOver.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { CallOverrides } from '../snapshot/types.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import { orchestrationOfSnapshot } from '../team/orchestrationOfSnapshot.js';
import type { RecordFiles } from './adapters.js';
import { worstOf } from './planEval.js';
import { type ProjectRuntime, runProjectAgent, runProjectOrchestration } from './runs.js';
import type { Fork, ForkRequest, Project, RunOptions } from './types.js';

/** What a project forks with. */
export interface ForkSources {
  readonly runtime: (loaded: object) => Promise<ProjectRuntime>;
  /** @param isChanged whether with `texts`, or as on the disk */
  readonly load: (subject: ForkSubject, isChanged: boolean) => Promise<{ readonly loaded: Loaded | Refused; readonly index: LoadedIndex }>;
  readonly files: FileSystem;
  readonly records: RecordFiles;
  readonly recordingOf: Project['recordingOf'];
}

export interface ForkSubject {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  readonly version: string | null;
  readonly overrides: CallOverrides | undefined;
  readonly environment_name: string | undefined;
}

type Recording = RunRecording | TeamRunRecording;
type Loaded = LoadedAgent | LoadedOrchestration;
/** As much of it as a run reads. */
type Runnable = Pick<LoadedAgent, 'agent' | 'mcp_inputs'> | Pick<LoadedOrchestration, 'orchestration' | 'mcp_inputs'>;

/**
 * Plans a fork: what the record answers, and from which request on the run is live. Nothing is called and nothing written.
 *
 * @throws InputInvalidError if there is no such run or record, or it has no input; the error of a config that cannot run
 */
export async function openFork(sources: ForkSources, request: ForkRequest): Promise<Fork> {
  const { run_id, record, texts, llm } = request;
  if ((run_id === undefined) === (record === undefined)) throw new TypeError('A fork needs either run_id or record.');
  const id = run_id === undefined ? undefined : await findRunId(sources.files, run_id);
  if (typeof id === 'object') throw new InputInvalidError(id.problem, [{ path: '/run_id', keyword: 'record', message: id.problem }]);
  const kept = id === undefined ? undefined : await sources.recordingOf(id);
  const frozen = kept && ('agent' in kept.frozen ? kept.frozen.agent : kept.frozen.orchestration).snapshot;
  const recording = kept?.recording ?? sources.records.read(record ?? '');
  const { header } = recording;
  const overrides = { ...header.overrides, ...(llm !== undefined && { llm }) };
  const subject: ForkSubject = {
    ...(header.format === 2
      ? { kind: header.kind, name: header.name, version: header.version }
      : { kind: 'agent', name: header.agent_name, version: header.version }),
    overrides: Object.keys(overrides).length > 0 ? overrides : undefined,
    environment_name: request.environment_name ?? frozen?.value.environment,
  };
  const current = await sources.load(subject, true);
  const loaded = unlessRefused(current.loaded);
  const input = (request.input ?? header.input) as JsonObject | undefined;
  if (input === undefined && subject.kind === 'agent') throw noInput(record ?? '');
  const runtime = await sources.runtime(loaded);
  const after = snapshotOf(loaded);
  const before = frozen ?? (await recordedSnapshot());

  const session_id = kept?.context.session_id ?? recordedSession(recording);
  const walked = await walk(runtime, loaded, { recording, input, session_id });
  const worst = worstOf(loaded, input ?? {}, 0, createModelTable(current.index.settings.models));
  const plan = planFork({ recording, walk: walked, before, after, most_cost_usd: worst?.limit ?? worst?.cost ?? null });
  const [first] = plan.places;
  const from = id === undefined ? { record: record ?? '' } : { run_id: id };
  const common = { ...(session_id !== undefined && { session_id }), ...(kept?.context.case !== undefined && { case: kept.context.case }) };
  return {
    plan,
    ...subject,
    run_id: id ?? null,
    input,
    loaded,
    case: kept?.context.case,
    async original() {
      const original = before && (await runnableOf(before));
      const { events } = await walk(runtime, original ?? loaded, { recording, input, session_id });
      const kept = id === undefined ? null : (await readRunFiles(sources.files, id)).result;
      // Written by the run itself.
      return kept === null
        ? events
        : events.map((event) => (event.final ? { ...event, result: kept as unknown as typeof event.result } : event));
    },
    run(options = {}) {
      const context = {
        ...common,
        forked_from: { ...from, place: first?.place ?? '', model_call: first?.model_call ?? 0 },
        ...options.context,
      };
      return start(runtime, loaded, {
        keep: 'folder',
        ...options,
        context,
        input,
        fork: { recording, isDry: false, diverged: () => undefined },
      });
    },
  };

  /** The config of a record: that of the files on the disk if only unsaved changes differ, else that of a kept run. */
  async function recordedSnapshot(): Promise<Snapshot | undefined> {
    const { snapshot_hash } = header;
    if (after.hash === snapshot_hash) return after;
    const saved = texts && (await sources.load(subject, false)).loaded;
    if (saved !== undefined && !(saved instanceof Refused) && snapshotOf(saved).hash === snapshot_hash) return snapshotOf(saved);
    return findSnapshot(runtime.ports, snapshot_hash);
  }
}

interface Walk {
  readonly begun: ReadonlyMap<string, Agent>;
  readonly divergences: ReadonlyMap<string, Divergence>;
  readonly events: readonly AgentEvent[];
}

type Walked = { readonly recording: Recording; readonly input: JsonObject | undefined; readonly session_id: string | undefined };

/** Lets the record answer everything in its order, and notes where the requests differ. */
async function walk(runtime: ProjectRuntime, loaded: Runnable, { recording, input, session_id }: Walked): Promise<Walk> {
  const begun = new Map<string, Agent>();
  const divergences = new Map<string, Divergence>();
  const events: AgentEvent[] = [];
  const logger = { log: () => undefined, isWritten: () => false };
  const quiet: ProjectRuntime = { ...runtime, observer: undefined, ports: { ...runtime.ports, logger } };
  const fork = {
    recording,
    isDry: true,
    began: (place: string, agent: Agent) => void begun.set(place, agent),
    diverged: (place: string, divergence: Divergence) => void divergences.set(place, divergence),
  };
  const context = session_id === undefined ? {} : { session_id };
  for await (const event of start(quiet, loaded, { keep: 'none', context, input, fork })) events.push(event);
  return { begun, divergences, events };
}

type Start = Omit<Parameters<typeof runProjectAgent>[2], 'payload'> & { readonly input: JsonObject | undefined };

function start(runtime: ProjectRuntime, loaded: Runnable, { input, keep = 'none', ...options }: Start) {
  return 'agent' in loaded
    ? runProjectAgent(runtime, loaded, { ...options, keep, payload: input ?? {} })
    : runProjectOrchestration(runtime, loaded, { ...options, keep, ...(input && { input }) });
}

function snapshotOf(loaded: Runnable): Snapshot {
  return 'agent' in loaded ? loaded.agent.snapshot : loaded.orchestration.snapshot;
}

async function runnableOf(snapshot: Snapshot): Promise<Runnable | undefined> {
  const schemas = await loadSchemaCompiler();
  const orchestration = orchestrationOfSnapshot(snapshot, schemas);
  if (orchestration) return { orchestration, mcp_inputs: [] };
  const agent = agentsOfSnapshot(snapshot, { schemas }).get(snapshot.value.name);
  return agent && { agent, mcp_inputs: [] };
}

interface Explained {
  readonly runtime: ProjectRuntime;
  readonly loaded: Runnable | Refused;
  readonly replay: NonNullable<RunOptions['replay']>;
  readonly input: unknown;
}

/** A replay that differs from its record says which fields have changed since, if they are known. */
export async function* explained({ runtime, loaded, replay, input }: Explained, events: AsyncIterable<AgentEvent>) {
  for await (const event of events) {
    const error = event.final ? event.result.error : null;
    if (!event.final || error?.code !== 'replay-mismatch' || loaded instanceof Refused) {
      yield event;
      continue;
    }
    const recording = typeof replay === 'string' ? runtime.records.read(replay) : replay;
    const why = await causesNow(runtime, loaded, recording, input as JsonObject | undefined);
    const message = why.length === 0 ? error.message : `${error.message} Changed since then: ${causeWords(why)}.`;
    yield { ...event, result: { ...event.result, error: { ...error, message } } };
  }
}

async function causesNow(runtime: ProjectRuntime, loaded: Runnable, recording: Recording, input: JsonObject | undefined) {
  const after = snapshotOf(loaded);
  const { snapshot_hash } = recording.header;
  const before = after.hash === snapshot_hash ? undefined : await findSnapshot(runtime.ports, snapshot_hash);
  if (before === undefined) return [];
  const walked = await walk(runtime, loaded, { recording, input, session_id: recordedSession(recording) });
  return planFork({ recording, walk: walked, before, after, most_cost_usd: null }).places[0]?.causes ?? [];
}

function noInput(record: string): InputInvalidError {
  const message = `The record ${record} does not have the input of its run. Give it as the input of the fork.`;
  return new InputInvalidError(message, [{ path: '/input', keyword: 'record', message }]);
}
