import { agentsOfSnapshot } from '../agent/agentsOfSnapshot.js';
import type { AgentEvent, RunContext } from '../agent/events.js';
import { observeRun, type RunObserver } from '../agent/observeRun.js';
import { runAgent } from '../agent/runAgent.js';
import type { RunRequest } from '../agent/types.js';
import type { AskUnfinished } from '../durable.js';
import { ResumeError, SecretMissingError } from '../errors.js';
import type { McpInput } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import { agentsLeft } from '../run/agentsLeft.js';
import { createDurableRun, type DurableRun, type RunKeeping, resumeDurableRun } from '../run/durableRun.js';
import { equipAgents, type SharedEquipment } from '../run/equipAgents.js';
import { type RecordedAgents, recordAgents, replayAgents } from '../run/equipRecorded.js';
import { equipRun, readMcpInputs } from '../run/equipRun.js';
import type { OpenRun } from '../run/openRun.js';
import { createOrchestrationFolder } from '../run/orchestrationFolder.js';
import { withoutWaiting } from '../run/replay.js';
import { requireKeys } from '../run/requireKeys.js';
import { startOrchestration } from '../run/startOrchestration.js';
import { loadSchemaCompiler } from '../schema/loadSchemaCompiler.js';
import type { CallOverrides } from '../snapshot/types.js';
import { createOrchestrationFactory } from '../team/orchestrationFactory.js';
import { orchestrationOfSnapshot } from '../team/orchestrationOfSnapshot.js';
import type { Orchestration } from '../team/types.js';
import type { ApproveTool } from '../tools/types.js';
import { createRecordFile, endRecord, readRecordFile } from './recordFiles.js';

/** What all runs of a project have in common. */
export interface ProjectRuntime extends Omit<SharedEquipment, 'approve' | 'inputs'> {
  readonly environment_name: string | undefined;
  readonly observer: RunObserver | undefined;
  readonly keeping: RunKeeping;
}

export interface ProjectOrchestrateRequest {
  /** Of the file `orchestrations/{name}.json`. */
  readonly name: string;
  /** Laid over the orchestration's own context as a merge patch. Default: nothing. */
  readonly input?: JsonObject;
  /** The highest layer of every agent in it: agent fields, and an llm profile in place of their own. */
  readonly overrides?: CallOverrides;
  /** Whose run this is and what it belongs to. `budget`: limits of the whole run. */
  readonly context?: Partial<RunContext>;
  readonly signal?: AbortSignal;
  /** `folder` (default): `.agentstack/runs/{run_id}`, and its steps in `.agentstack/journal`, so that it can be resumed. `none`: nothing is written. */
  readonly keep?: 'folder' | 'none';
  /** `stream` (default) yields text as it comes; `call` asks for the whole answer at once. */
  readonly delivery?: 'stream' | 'call';
  /** Asked before each call of a tool that needs approval. Default: such a call ends its task with `denied`. */
  readonly approve?: ApproveTool;
  /** File that every model and tool exchange of all agents is written to, without secrets. From the working directory; replaced when it is there. */
  readonly record?: string;
  /** Such a file, which answers in place of models, tools and servers. Needs no key and no network. Steps are not kept, as nothing was done. */
  readonly replay?: string;
}

export interface ProjectResumeOptions extends Pick<ProjectOrchestrateRequest, 'signal' | 'delivery' | 'approve'> {
  /** Asked about each call that may not silently be made twice and was under way when the run was interrupted. Default: the run stops there. */
  readonly askUnfinished?: AskUnfinished;
}

/** Runs an orchestration of the project. */
export async function* orchestrate(
  runtime: ProjectRuntime,
  request: ProjectOrchestrateRequest,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { environment_name, keeping, observer } = runtime;
  const { name, overrides, keep = 'folder', approve, record, replay, signal, ...rest } = request;
  const ports = replay === undefined ? runtime.ports : withoutWaiting(runtime.ports);
  const cancelled = replay === undefined ? undefined : new AbortController();
  const ends = [signal, cancelled?.signal].filter((one) => one !== undefined);
  let inputs: readonly McpInput[] = [];
  let recorded: RecordedAgents | undefined;
  const events = startOrchestration({
    ...rest,
    name,
    ports,
    observer,
    ...(ends[0] && { signal: ends.length === 1 ? ends[0] : AbortSignal.any(ends) }),
    load: () => createOrchestrationFactory({ ports, ...(environment_name !== undefined && { environment_name }) }).load(name, overrides),
    async equip({ agents, snapshot }) {
      const run = { kind: 'orchestration', name, version: null, snapshot_hash: snapshot.hash } as const;
      if (replay !== undefined) return replayAgents(run, readRecordFile(replay), () => cancelled?.abort());
      await requireKeys(agents.values(), runtime);
      // Once, before anything runs: the files may be others by the time a server is needed.
      const hasServers = [...agents.values()].some(({ resolved }) => Object.keys(resolved.servers).length > 0);
      if (hasServers) inputs = await readMcpInputs(ports.files);
      const shared: SharedEquipment = { ...runtime, approve, inputs: () => inputs };
      if (record === undefined) return equipAgents(shared);
      recorded = recordAgents(run, shared, createRecordFile(record));
      return recorded.equip;
    },
    ...(keep !== 'none' && replay !== undefined && { store: createOrchestrationFolder(ports.files, ports.knownSecrets) }),
    ...(keep !== 'none' &&
      replay === undefined && { keep: () => createDurableRun(keeping, { input: request.input, mcp_inputs: () => inputs }) }),
  });
  for await (const event of events) yield event.final ? await endRecord(event, recorded) : event;
}

/**
 * Goes on with a run that was interrupted: reads its folder and the journals it names, and no config.
 *
 * @throws ResumeError where it cannot go on: there is none, it has ended, another process has it; StorageError where its journal cannot be read
 */
export async function* resume(
  runtime: ProjectRuntime,
  run_id: string,
  options: ProjectResumeOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  const { ports, keeping, observer } = runtime;
  const { askUnfinished, approve, ...rest } = options;
  const { open, run, finished } = await resumeDurableRun(keeping, run_id, { sha256: ports.sha256, askUnfinished });
  const { orchestration, agents } = await thaw(open, run, finished, runtime);
  const equipment: SharedEquipment = { ...runtime, approve, inputs: () => open.mcp_inputs };
  if (orchestration === undefined) {
    yield* resumeAgent(runtime, open, run, { ...rest, agents, equipment });
    return;
  }
  yield* startOrchestration({
    ...rest,
    name: open.snapshot.value.name,
    ports,
    observer,
    input: open.input,
    context: open.context,
    load: async () => orchestration,
    equip: () => equipAgents(equipment),
    keep: () => run,
  });
}

/**
 * What is frozen, ready to go on. A key that is missing fails a task for good, where one may still be needed, so a run that was going well would end with what the next shell
 * forgot: it is left as it is, and free. @throws ResumeError
 */
async function thaw({ run_id, snapshot }: OpenRun, run: DurableRun, finished: ReadonlySet<string>, runtime: ProjectRuntime) {
  try {
    const schemas = await loadSchemaCompiler();
    const orchestration = orchestrationOfSnapshot(snapshot, schemas);
    const agents = orchestration?.agents ?? agentsOfSnapshot(snapshot, { schemas });
    await requireKeys(orchestration ? agentsLeft(orchestration, finished) : agents.values(), runtime);
    return { orchestration, agents };
  } catch (error) {
    run.release();
    if (!(error instanceof SecretMissingError)) throw error;
    throw new ResumeError(run_id, `The run ${run_id} cannot be resumed yet: ${error.message}`, { cause: error });
  }
}

async function* resumeAgent(
  { ports, observer }: ProjectRuntime,
  open: OpenRun,
  run: DurableRun,
  {
    agents,
    equipment,
    ...rest
  }: Pick<ProjectResumeOptions, 'signal' | 'delivery'> & {
    readonly agents: Orchestration['agents'];
    readonly equipment: SharedEquipment;
  },
): AsyncGenerator<AgentEvent, void, undefined> {
  try {
    const { snapshot, input, context } = open;
    const agent = agents.get(snapshot.value.name);
    if (agent === undefined) throw new Error('The snapshot of an agent holds none of its name.');
    const { equipment: own } = await equipRun(agent, { ...equipment, session_id: context.session_id, keep: 'folder' });
    const { llm } = own;
    if (llm === undefined) throw new Error('An agent was equipped without a model.');
    const request: RunRequest = {
      ...rest,
      agent,
      payload: input,
      ports,
      context,
      ...own,
      llm,
      equip: equipAgents(equipment),
      store: run.agentStore,
      steps: run.steps,
      ...(run.resume && { resume: run.resume }),
    };
    yield* observer ? observeRun(observer, request) : runAgent(request);
  } finally {
    run.release();
  }
}
