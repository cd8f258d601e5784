import type { AgentEvent, RunContext } from '../agent/events.js';
import { unlessRefused } from '../agent/load/refused.js';
import { loadProjectIndex, type RegisteredFor } from '../config/loadProjectIndex.js';
import { CancelledError, ResumeError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { createJournalFiles } from '../node/journalFiles.js';
import { nextSequence } from '../run/lastEvent.js';
import { runsFolder } from '../run/readRuns.js';
import { createRunFolder, type RunFolder } from '../run/runFolder.js';
import { learnSecrets, refuseFrozenSecrets } from '../run/runSecrets.js';
import { coverInput, inputCovered } from '../secrets/coverInput.js';
import { coverAll } from '../secrets/coverValue.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import { loadOrchestration } from '../team/loadOrchestration.js';
import { checkOrchestrationInput } from '../team/orchestrationInput.js';
import type { DbosOrchestrateRequest, DbosResumeOptions } from './dbosEngine.js';
import type { DbosRuntime } from './dbosRuntime.js';
import type { EngineClient } from './engineClient.js';
import type { StoredRun, StoredSnapshot } from './engineDatabase.js';
import { canGoOn } from './eventWriter.js';
import type { RunOrder } from './orchestrationProgram.js';

/** Submits an orchestration to the workers and follows it. */
export async function* orchestrateRemotely(
  runtime: DbosRuntime,
  request: DbosOrchestrateRequest,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { ports, environment_name, ownTools } = runtime;
  const registered: RegisteredFor = async (settings) => (await ownTools(settings)).registered;
  const { keep = 'folder', delivery = 'stream', allow_tools = 'none', signal } = request;
  const input = (request.input ?? {}) as JsonObject;
  const loaded =
    'orchestration' in request
      ? unlessRefused(request.orchestration)
      : await loadOrchestration({ ...request, ports, environment_name, project: await loadProjectIndex(ports.files, { registered }) });
  const { mcp_inputs } = loaded;
  const { snapshot, agents } = loaded.orchestration;
  checkOrchestrationInput(loaded.orchestration, input);
  const run_id = ports.random.id();
  const context: RunContext = {
    correlation_id: run_id,
    trace_id: run_id,
    timestamp: new Date(ports.clock.now()).toISOString(),
    ...request.context,
  };
  // Only the workers need the secrets. Those known here are masked before the input is stored in the database.
  await learnSecrets(agents.values(), { ...runtime, mcp_inputs });
  refuseFrozenSecrets(snapshot, ports.knownSecrets);
  const { value: order, places } = coverInput<RunOrder>({ input, context, allow_tools, delivery, mcp_inputs }, ports.knownSecrets);
  if (places.length > 0) ports.logger.log('warn', inputCovered, { orchestration: snapshot.value.name, run_id, places });
  // Plain JSON; its type says more than `JsonObject` can.
  const stored = order as unknown as JsonObject;

  yield* runtime.client.use(signal, async function* (client) {
    let folder: RunFolder | undefined;
    if (keep === 'folder') {
      folder = createRunFolder(ports.files, run_id, { knownSecrets: ports.knownSecrets });
      await folder.begin(snapshot, { context: order.context as unknown as JsonObject, input: order.input, engine: 'dbos' });
    }
    await client.submit({ run_id, request: stored, snapshot: toStored(snapshot) }, signal);
    yield* follow(runtime, client, { run_id, from: 0, folder, knownHash: snapshot.hash, signal });
  });
}

/** Follows a run from the end of its folder, and resumes it if it stopped. */
export async function* resumeRemotely(
  runtime: DbosRuntime,
  run_id: string,
  { signal, askUnfinished }: DbosResumeOptions,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { ports } = runtime;
  yield* runtime.client.use(signal, async function* (client) {
    const run = await client.run(run_id);
    if (run === undefined)
      throw new ResumeError(run_id, `The run ${run_id} cannot be resumed: it is not in this database. Check --database-url.`);
    const { next, hasResult } = await openFolder(runtime, client, run);
    if (run.is_ended && hasResult) throw new ResumeError(run_id, `The run ${run_id} cannot be resumed: it has ended. Start a new one.`);
    // The last event has the result, which the follower may not have written yet.
    const from = run.is_ended ? Math.min(next, run.event_count - 1) : next;
    for (const call of await client.unfinished(run_id)) {
      const answer = await askUnfinished?.(call);
      if (answer !== undefined && call.step !== undefined) await client.answer(run_id, call.step, answer);
    }
    // A run reports its stop shortly before it has stopped.
    for (let tries = 0; !(await client.continueRun(run_id)) && from >= run.event_count && tries < 10; tries++)
      await ports.clock.sleep(100, signal);
    const folder = createRunFolder(ports.files, run_id, { isResumed: true });
    yield* follow(runtime, client, { run_id, from, folder, knownHash: run.snapshot_hash, signal });
  });
}

interface OpenFolder {
  /** Number of the first event it lacks. */
  readonly next: number;
  readonly hasResult: boolean;
}

/** The folder of a run, created here if it was submitted elsewhere. */
async function openFolder({ ports, root }: DbosRuntime, client: EngineClient, run: StoredRun): Promise<OpenFolder> {
  const { run_id, snapshot_hash, request } = run;
  const folder = `${runsFolder}/${run_id}`;
  const names = (await ports.files.list(folder)).map(({ name }) => name);
  if (names.includes('run.json'))
    return { next: await nextSequence(createJournalFiles(root), `${folder}/events.jsonl`), hasResult: names.includes('result.json') };
  const { context = {}, input = {} } = request;
  const newFolder = createRunFolder(ports.files, run_id, { knownSecrets: ports.knownSecrets });
  await newFolder.begin(toSnapshot(await client.snapshot(snapshot_hash)), { context, input, engine: 'dbos' });
  return { next: 0, hasResult: false };
}

interface Followed {
  readonly run_id: string;
  readonly from: number;
  readonly folder: RunFolder | undefined;
  /** Hash of the snapshot in the folder. */
  readonly knownHash: string;
  readonly signal: AbortSignal | undefined;
}

/** How long workers have to answer a cancellation, in ms: they receive it with their heartbeats. */
const cancelPatience = 5000;

async function* follow(
  { onNotice, ports }: DbosRuntime,
  client: EngineClient,
  { run_id, from, folder, knownHash: known, signal }: Followed,
): AsyncGenerator<AgentEvent, void, undefined> {
  const snapshots = new Set([known]);
  const abandon = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    client.cancel(run_id).catch((error: unknown) => abandon.abort(error));
    timer = setTimeout(() => {
      const message = `No worker has answered yet to the request to cancel the run ${run_id}: it ends as soon as one does. ${howToFollow(run_id)}`;
      onNotice?.(message);
      abandon.abort(new CancelledError(message));
    }, cancelPatience);
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const each of client.follow(run_id, from, abandon.signal)) {
      // Written by a worker from an event, and masked with that worker's secrets.
      const event = coverAll(each, ports.knownSecrets) as unknown as AgentEvent;
      try {
        if (folder) await keepEvent(client, folder, event, snapshots);
      } catch (error) {
        if (!event.final) onNotice?.(`The workers continue the run ${run_id} anyway. ${howToFollow(run_id)}`);
        throw error;
      }
      yield event;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function howToFollow(run_id: string): string {
  return `Follow and resume it: npx agent-stack runs resume ${run_id} --engine dbos`;
}

async function keepEvent(client: EngineClient, folder: RunFolder, event: AgentEvent, snapshots: Set<string>): Promise<void> {
  if (event.type === 'team_start' && event.snapshot_hash !== undefined && !snapshots.has(event.snapshot_hash)) {
    snapshots.add(event.snapshot_hash);
    await folder.snapshot(toSnapshot(await client.snapshot(event.snapshot_hash)));
  }
  await folder.event(event);
  if (!event.final) return;
  if (canGoOn(event)) await folder.suspend();
  else await folder.end(event.result);
}

function toStored({ hash, text, origins_text }: Snapshot): StoredSnapshot {
  return { hash, text, origins_text };
}

function toSnapshot({ hash, text, origins_text }: StoredSnapshot): Snapshot {
  // Written by the process that froze it.
  return { value: JSON.parse(text) as Snapshot['value'], text, hash, origins_text };
}
