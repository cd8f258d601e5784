import type { AgentEvent, FinalEvent, RunContext } from '../agent/events.js';
import type { EditLog, Gate } from '../agent/gate.js';
import { agentsOfSnapshot } from '../agent/load/agentsOfSnapshot.js';
import type { LoadedAgent } from '../agent/load/loadAgent.js';
import { orRefused, Refused, unlessRefused } from '../agent/load/refused.js';
import { observeRefusal, observeRun, type RunObserver } from '../agent/observeRun.js';
import { runAgent } from '../agent/runAgent.js';
import { refusedRun } from '../agent/runResult.js';
import type { Spending } from '../agent/sharedBudget.js';
import type { Agent, ConnectAgent, RunRequest } from '../agent/types.js';
import { ResumeError, SecretMissingError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import { checkPayload } from '../prompt/payloadCheck.js';
import { agentsLeft } from '../run/agentsLeft.js';
import { type ConnectOptions, connectAgents } from '../run/connectAgents.js';
import { createDurableRun, type DurableRun, type RunKeeping, resumeDurableRun, runBudget } from '../run/durableRun.js';
import type { KeptRun } from '../run/keptRecording.js';
import type { OpenRun } from '../run/openRun.js';
import { prepareRun } from '../run/prepareRun.js';
import { requireKeys } from '../run/requireKeys.js';
import { createAnsweredRun, createOrchestrationFolder, createRunStore } from '../run/runFolder.js';
import { learnSecrets, refuseFrozenSecrets } from '../run/runSecrets.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { coverAll } from '../secrets/coverValue.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import { createRunTask } from '../team/createRunTask.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import { observeOrchestration } from '../team/observeOrchestration.js';
import { checkOrchestrationInput } from '../team/orchestrationInput.js';
import { orchestrationOfSnapshot } from '../team/orchestrationOfSnapshot.js';
import { timedGate } from '../team/timedGate.js';
import type { Orchestration, OrchestrationStore } from '../team/types.js';
import { createEnvironmentInputs } from '../tools/mcp/resolveServer.js';
import type { RecordFiles } from './adapters.js';
import { endRecord, type ForkSide, prepareAgent, prepareAgents } from './recordedRuns.js';
import type { AgentRunOptions, OrchestrationRunOptions, ProjectResumeOptions, ReplayRunOptions, RunOptions } from './types.js';

/** Common options of all runs of a project. */
export interface ProjectRuntime extends Omit<ConnectOptions, 'approve' | 'mcp_inputs'> {
  readonly observer: RunObserver | undefined;
  readonly keeping: RunKeeping;
  readonly records: RecordFiles;
}

type Events = AsyncGenerator<AgentEvent, void, undefined>;

interface ForkOptions {
  readonly fork?: ForkSide;
}

/** Runs an agent of the project. A refusal is a run that failed before it began: one `final` event without hash and path. */
export async function* runProjectAgent(
  runtime: ProjectRuntime,
  loaded: Pick<LoadedAgent, 'agent' | 'mcp_inputs'> | Refused,
  options: AgentRunOptions & ForkOptions,
): Events {
  const { ports, observer, keeping } = runtime;
  const {
    payload,
    context,
    signal,
    durable = false,
    keep = durable ? 'folder' : 'none',
    approve,
    record,
    replay,
    fork,
    delivery,
    spending,
    gate,
  } = options;
  const isAnswered = replay !== undefined || fork?.isDry === true;
  const { name, version } = identityOf(loaded);
  const ready = await orRefused(name, version, async () => {
    const { agent, mcp_inputs } = unlessRefused(loaded);
    await learn([agent], agent.snapshot, { ...runtime, mcp_inputs, isAnswered });
    checkPayload(agent.prompt, payload);
    if (!isAnswered) await requireKeys([agent, ...(agent.agents?.values() ?? [])], runtime);
    const connecting = { ...runtime, approve, mcp_inputs, session_id: context?.session_id, sessions: options.sessions };
    return { agent, mcp_inputs, run: await prepareAgent(agent, connecting, { record, replay, fork, payload: payload as JsonObject }) };
  });
  if (ready instanceof Refused) {
    yield await reportRefusal(runtime, ready, context);
    return;
  }
  const { agent, mcp_inputs, run } = ready;
  const { prepared } = run;
  const { files, knownSecrets } = ports;
  const keptRun = (): Pick<DurableRun, 'agentStore'> & Partial<DurableRun> => {
    if (durable) return createDurableRun(keeping, { mcp_inputs });
    return replay === undefined ? createAnsweredRun(files, knownSecrets) : { agentStore: createRunStore(files, knownSecrets) };
  };
  const kept = keep === 'none' ? undefined : keptRun();
  const ends = [signal, prepared.signal].filter((end) => end !== undefined);
  const events = watched(observer, {
    ...prepared,
    agent,
    payload: payload as JsonObject,
    ports: prepared.ports ?? ports,
    ...(context && { context }),
    ...(delivery && { delivery }),
    ...(spending && { spending }),
    ...(gate && { gate }),
    ...(ends.length > 0 && { signal: AbortSignal.any(ends) }),
    ...(kept && { store: kept.agentStore, ...(kept.steps && { steps: kept.steps }) }),
  });
  try {
    for await (const event of events) yield event.final ? await endRecord(event, run) : event;
  } finally {
    kept?.release?.();
  }
}

/** Runs an orchestration of the project. A refusal is a run that failed before it began, as for an agent. */
export async function* runProjectOrchestration(
  runtime: ProjectRuntime,
  loaded: Pick<LoadedOrchestration, 'orchestration' | 'mcp_inputs'> | Refused,
  options: OrchestrationRunOptions & ForkOptions,
): Events {
  const { keeping } = runtime;
  const { context, signal, keep = 'none', approve, record, replay, fork, delivery } = options;
  // Plain data; to the compiler, interfaces are not a `JsonObject`.
  const input = options.input as JsonObject | undefined;
  const { name } = identityOf(loaded);
  const cancelled = new AbortController();
  const budget = runBudget(context ?? {});
  const isKept = keep === 'folder' && replay === undefined;
  const ready = await orRefused(name, null, async () => {
    const { orchestration, mcp_inputs } = unlessRefused(loaded);
    checkOrchestrationInput(orchestration, input);
    const cancel = () => cancelled.abort();
    const connecting = { ...runtime, approve, mcp_inputs };
    const isAnswered = replay !== undefined || fork?.isDry === true;
    await learn(orchestration.agents.values(), orchestration.snapshot, { ...connecting, isAnswered });
    const agents = await prepareAgents(orchestration, connecting, { record, replay, fork, input, cancel });
    const run = isKept ? createDurableRun(keeping, { input, mcp_inputs, budget, isResumable: fork === undefined }) : undefined;
    return { orchestration, agents, run };
  });
  if (ready instanceof Refused) {
    yield await reportRefusal(runtime, ready, context);
    return;
  }
  const { orchestration, agents, run } = ready;
  const { ports } = agents;
  const events = runPrepared(runtime, {
    orchestration,
    connectAgent: agents.connectAgent,
    edits: agents.edits,
    isReplay: replay !== undefined,
    input,
    context,
    delivery,
    gate: options.gate,
    spending: options.spending ?? budget,
    run,
    ports,
    signal: signal === undefined ? cancelled.signal : AbortSignal.any([signal, cancelled.signal]),
    store: keep !== 'none' && replay !== undefined ? createOrchestrationFolder(ports.files, ports.knownSecrets) : undefined,
  });
  try {
    for await (const event of events) yield event.final ? await endRecord(event, agents) : event;
  } finally {
    run?.release();
  }
}

/** Replays a kept run with its frozen config. It is another run, which is kept nowhere. */
export async function* replayKept(runtime: ProjectRuntime, kept: KeptRun, options: ReplayRunOptions = {}): Events {
  const { frozen, input, recording } = kept;
  const { user_id, session_id, budget } = kept.context;
  const context = { ...(user_id !== undefined && { user_id }), ...(session_id !== undefined && { session_id }), ...(budget && { budget }) };
  const run = { ...options, context, replay: recording };
  if ('agent' in frozen) yield* runProjectAgent(runtime, { ...frozen, mcp_inputs: [] }, { ...run, payload: input });
  else yield* runProjectOrchestration(runtime, { ...frozen, mcp_inputs: [] }, { ...run, input });
}

/**
 * Resumes an interrupted run from its folder and its journals, without reading any config.
 *
 * @throws ResumeError if it does not exist, has ended or is held by another process; StorageError if its journal cannot be read
 */
export async function* resume(runtime: ProjectRuntime, run_id: string, options: ProjectResumeOptions = {}): Events {
  const { ports, keeping, observer } = runtime;
  const { askUnfinished, approve, ...runOptions } = options;
  const { open, run, finished, budget } = await resumeDurableRun(keeping, run_id, { sha256: ports.sha256, askUnfinished });
  try {
    const { snapshot, input, context, mcp_inputs } = open;
    const { orchestration, agents } = await restore(open, finished, runtime);
    const connecting = { ...runtime, approve, mcp_inputs };
    await learnSecrets(agents.values(), connecting);
    if (orchestration !== undefined) {
      yield* runPrepared(runtime, {
        ...runOptions,
        orchestration,
        connectAgent: connectAgents(connecting),
        input,
        context,
        spending: budget,
        run,
        ports,
      });
      return;
    }
    const agent = agents.get(snapshot.value.name);
    if (agent === undefined) throw new Error('The snapshot of an agent does not contain it.');
    const prepared = await prepareRun(agent, { ...connecting, session_id: context.session_id });
    const { agentStore: store, steps, resume } = run;
    const request = { ...runOptions, ...prepared, agent, payload: input, ports, context, store, steps };
    yield* watched(observer, { ...request, ...(resume && { resume }) });
  } finally {
    run.release();
  }
}

/** The agents of a frozen config. @throws ResumeError if a key is missing that is still needed: it would fail a task for good */
async function restore({ run_id, snapshot }: OpenRun, finished: ReadonlySet<string>, runtime: ProjectRuntime) {
  const schemas = await loadSchemaCompiler();
  const orchestration = orchestrationOfSnapshot(snapshot, schemas);
  const agents = orchestration?.agents ?? agentsOfSnapshot(snapshot, { schemas });
  try {
    await requireKeys(orchestration ? agentsLeft(orchestration, finished) : agents.values(), runtime);
  } catch (error) {
    if (!(error instanceof SecretMissingError)) throw error;
    throw new ResumeError(run_id, `The run ${run_id} cannot be resumed yet: ${error.message}`, { cause: error });
  }
  return { orchestration, agents };
}

interface LearnOptions extends ProjectRuntime {
  readonly mcp_inputs: ConnectOptions['mcp_inputs'];
  /** A record answers everything. */
  readonly isAnswered: boolean;
}

/** A replay needs no secrets and asks no one for them: those that are available are masked as in the recorded run. */
async function learn(agents: Iterable<Agent>, snapshot: Snapshot, { isAnswered, ...options }: LearnOptions): Promise<void> {
  const withoutAsking = { ...options, resolveInput: createEnvironmentInputs(options.ports) };
  try {
    await learnSecrets(agents, isAnswered ? withoutAsking : options);
  } catch (error) {
    if (!isAnswered || !(error instanceof SecretMissingError)) throw error;
  }
  refuseFrozenSecrets(snapshot, options.ports.knownSecrets);
}

interface PreparedOrchestration {
  readonly orchestration: Orchestration;
  readonly connectAgent: ConnectAgent;
  readonly input: JsonObject | undefined;
  readonly context: Partial<RunContext> | undefined;
  readonly spending: Spending | undefined;
  readonly ports: Ports;
  readonly signal?: AbortSignal;
  readonly delivery?: RunOptions['delivery'] | undefined;
  readonly gate?: Gate | undefined;
  readonly edits?: EditLog | undefined;
  readonly isReplay?: boolean;
  /** Keeps the run and its steps. */
  readonly run: DurableRun | undefined;
  /** Keeps the run without its steps. */
  readonly store?: OrchestrationStore | undefined;
}

async function* runPrepared({ observer }: ProjectRuntime, prepared: PreparedOrchestration): Events {
  const { orchestration, connectAgent, input, context, signal, delivery, spending, ports, run, edits, isReplay } = prepared;
  const { agents } = orchestration;
  const store = run?.orchestrationStore ?? prepared.store;
  const timed = prepared.gate && timedGate(prepared.gate, ports.clock);
  yield* observeOrchestration(observer, {
    orchestration,
    ports,
    runTask: createRunTask({ agents, connectAgent, ports, steps: run?.steps, observer, delivery, budget: spending, gate: timed?.gate }),
    ...(input && { input }),
    ...(context && { context }),
    ...(signal && { signal }),
    ...(store && { store }),
    ...(run && { steps: run.steps }),
    ...(run?.resume && { resume: run.resume }),
    ...(edits && { edits }),
    ...(isReplay && { isReplay }),
    ...timed,
  });
}

function watched(observer: RunObserver | undefined, request: RunRequest): Events {
  return observer ? observeRun(observer, request) : runAgent(request);
}

/** The only event of a run that was refused. */
async function reportRefusal(
  { ports, observer }: ProjectRuntime,
  refused: Refused,
  context: Partial<RunContext> | undefined,
): Promise<FinalEvent> {
  const { name, version, error } = refused;
  const final = coverAll(refusedRun(ports, { name, version, context }, error), ports.knownSecrets);
  if (observer) await observeRefusal(observer, final.result, context ?? {}, ports);
  return final;
}

function identityOf(loaded: Pick<LoadedAgent, 'agent'> | Pick<LoadedOrchestration, 'orchestration'> | Refused): {
  readonly name: string;
  readonly version: string | null;
} {
  if (loaded instanceof Refused) return loaded;
  if ('orchestration' in loaded) return { name: loaded.orchestration.snapshot.value.name, version: null };
  const { agent_name, version } = loaded.agent.resolved.config;
  return { name: agent_name, version };
}
