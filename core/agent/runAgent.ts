import type { DurableSteps } from '../durable.js';
import { CancelledError, ConfigInvalidError, RunTimeoutError } from '../errors.js';
import type { Json, JsonObject } from '../json.js';
import type { AssistantMessage, LlmClient, UserMessage } from '../llm/types.js';
import type { MaybePromise, Ports } from '../ports.js';
import { type CoveredInput, coverInput, inputCovered } from '../secrets/coverInput.js';
import type { ApproveTool, OpenTools } from '../tools/types.js';
import type { Agent } from './agentFactory.js';
import { EventCover } from './eventCover.js';
import type { AgentEvent, EventBody, RunContext, RunResult } from './events.js';
import { finishRun } from './finishRun.js';
import { followCaller } from './followCaller.js';
import { orchestrating } from './plan/orchestrating.js';
import { react } from './react/react.js';
import { RunRecord } from './runRecord.js';
import type { Spending } from './sharedBudget.js';
import { singleShot } from './singleShot.js';

/** Where a run is kept. `core/run` writes it to `.agentstack/runs/{run_id}`; a run without a store is kept by its caller only. */
export interface RunStore {
  /** Writes the frozen config before anything runs, and returns its project path. @throws StorageError */
  begin(run: {
    readonly run_id: string;
    readonly agent: Agent;
    readonly context: RunContext;
    readonly payload: JsonObject;
    /** Milliseconds that the run has been at work, in earlier processes too, without the time in which a person was asked. */
    readonly elapsed?: () => number;
  }): Promise<{ snapshot_path: string }>;
  /** @throws StorageError */
  event(event: AgentEvent): void | Promise<void>;
  /** @throws StorageError */
  end(result: RunResult): void | Promise<void>;
}

/** What a session remembers: the messages of its runs, in order, without system messages and thoughts. */
export type SessionMessage = UserMessage | AssistantMessage;

/** Keeps the conversations of sessions. */
export interface SessionStore {
  /** All messages of complete turns, oldest first; empty for a session nobody has written to. @throws StorageError */
  load(session_id: string): Promise<readonly SessionMessage[]>;
  /** Adds messages as they happen. What a run adds stays together, whoever else writes meanwhile. @throws StorageError */
  append(session_id: string, run_id: string, messages: readonly SessionMessage[]): Promise<void>;
}

export interface RunRequest {
  readonly agent: Agent;
  readonly payload: JsonObject;
  readonly llm: LlmClient;
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'knownSecrets'>;
  readonly context?: Partial<RunContext>;
  readonly store?: RunStore;
  readonly signal?: AbortSignal;
  /** Makes the tools of the run. Default: none. Only agents that reason in a loop or follow a plan call it. */
  readonly openTools?: OpenTools;
  /** Asked before each call of a tool that needs approval. Default: nobody is there, so the run ends with `denied`. */
  readonly approve?: ApproveTool;
  /** Keeps conversations. Used by agents with `include_history`, when the context names a session. */
  readonly sessions?: SessionStore;
  /** `stream` (default) yields text as it comes; `call` asks for the whole answer at once and yields it as one chunk. */
  readonly delivery?: 'stream' | 'call';
  /** Keeps each model call, approval and tool call, so that the run can go on in another process. Default: nothing is kept. */
  readonly steps?: DurableSteps;
  /** What an agent that a plan calls works with. Needed by plans that call agents. */
  readonly equip?: EquipAgent;
  /** The agents whose plans have led to this run, `name@version`, outermost first. Default: none. */
  readonly callers?: readonly string[];
  /** Money that others spend at the same time: each call is checked against what all of them have left. Default: nobody else does. */
  readonly spending?: Spending;
  /** Of a run that an earlier process began: it goes on as the same run. `steps` hold what that one left. */
  readonly resume?: ResumedRun;
}

/** What of a run is known when it goes on in another process. */
export interface ResumedRun {
  readonly run_id: string;
  /** Number of its next event. */
  readonly seq: number;
  /** Steps that are taken over, told in `run_start`. */
  readonly finished_steps: number;
  /** When it began, ISO 8601. */
  readonly timestamp: string;
  /** Milliseconds that it was at work, as far as is known: its time limits go on counting from there. Default 0. */
  readonly elapsed_ms?: number;
  /** What its calls have cost, in USD, where it has a budget that tasks spend together. Default 0. */
  readonly spent_usd?: number;
}

/**
 * What an agent of the run other than its own works with: its model, and its tools.
 *
 * @param at its place in the run: `{execution}/{team}/{task}` of a task, behind it `/{name}@{version}` of an agent that its plan calls; undefined where the plan
 * is that of the run itself
 * @throws AgentStackError
 */
export type EquipAgent = (agent: Agent, at?: string) => MaybePromise<Pick<RunRequest, 'llm' | 'openTools' | 'approve'>>;

/** What the agent types share: the request, its record so far, and the signal that ends it. */
export interface Turn {
  readonly request: RunRequest;
  readonly record: RunRecord;
  readonly signal: AbortSignal;
  /** Moment (`Clock.monotonic()`, in ms) at which the run's time is over, as far as known now; undefined where it has no limit. */
  readonly deadline: () => number | undefined;
  /** Waits for a person, whose time does not count as the run's. */
  readonly waitForPerson: <T>(answer: Promise<T>) => Promise<T>;
  /** Runs another agent: `runAgent`. */
  readonly run: (request: RunRequest) => AsyncGenerator<AgentEvent, void, undefined>;
}

/**
 * One agent type: yields events and returns the output, an object where the agent has an output_schema. A thrown AgentStackError ends the run as
 * failed, with all the record holds.
 */
export type AgentLoop = (turn: Turn) => AsyncGenerator<EventBody, Json, undefined>;

const loops: { readonly [agentType: string]: AgentLoop } = {
  single_shot: singleShot,
  react,
  orchestrating,
};

/**
 * Runs one agent once. Yields events in order and ends with exactly one `final` event, whatever happens: a failure, a
 * timeout or a cancellation is a result, not an exception. Reads nothing but `agent` (frozen) and `payload`. Secrets in what it tells are covered,
 * whoever brought them up: the input, a model or a tool.
 */
export async function* runAgent(asked: RunRequest): AsyncGenerator<AgentEvent, void, undefined> {
  const { value, places } = keepable(asked);
  const request = { ...asked, ...value };
  const { agent, store } = request;
  const cover = new EventCover(request.ports.knownSecrets);
  const record = new RunRecord(request);
  if (places.length > 0) record.log('warn', inputCovered, { places });
  const limits = startLimits(request);
  let ended = false;

  try {
    try {
      if (store) {
        const { run_id, context } = record;
        const { snapshot_path } = await store.begin({ run_id, agent, context, payload: request.payload, elapsed: limits.elapsed });
        record.snapshot_path = snapshot_path;
      }
      const start = record.event({
        type: 'run_start',
        snapshot_hash: agent.snapshot.hash,
        snapshot_path: record.snapshot_path,
        ...(request.resume && { resumed: request.resume.finished_steps }),
      });
      if (store) await store.event(start);
      record.log('info', request.resume ? 'run resumed' : 'run started', { snapshot_hash: agent.snapshot.hash });
      yield start;
      limits.signal.throwIfAborted();

      const loop = loops[agent.resolved.config.agent_type];
      if (!loop) {
        throw new ConfigInvalidError(
          `agent_type "${agent.resolved.config.agent_type}" cannot be run by this version; use ${Object.keys(loops)
            .map((name) => JSON.stringify(name))
            .join(' or ')}.`,
          [],
        );
      }
      const events = loop({ request, record, run: runAgent, ...limits });
      try {
        let next = await events.next();
        for (let isOver = false; !isOver; ) {
          isOver = next.done === true;
          for (const body of next.done ? cover.rest() : cover.take(next.value)) {
            const event = record.event(body);
            let failure: unknown;
            try {
              if (store) await store.event(event);
            } catch (error) {
              failure = error;
            }
            // One that could not be kept is told all the same: it has happened, and its number is taken.
            yield event;
            if (failure !== undefined) throw failure;
          }
          if (next.done) record.complete(next.value);
          else next = await events.next();
        }
      } finally {
        // Ends the model call when the store failed or the consumer left.
        await events.return(null);
      }
    } catch (error) {
      // An abort may surface as whatever error of the layer it interrupted; its reason is what really happened.
      record.fail(limits.signal.aborted ? limits.signal.reason : error);
    }
    const final = record.finalEvent();
    ended = true;
    yield await finishRun({ record, store }, final);
  } finally {
    limits.stop();
    if (!ended) {
      // The consumer left in the middle of the events: what happened so far is kept as a cancelled run.
      record.fail(new CancelledError('The run was abandoned before its end.'));
      await finishRun({ record, store }, record.finalEvent());
    }
  }
}

/** A run that is kept step by step works with what it keeps: one that goes on in another process has nothing else. */
function keepable({ payload, steps, ports }: RunRequest): CoveredInput<Pick<RunRequest, 'payload'>> {
  return steps ? coverInput({ payload }, ports.knownSecrets) : { value: { payload }, places: [] };
}

interface Limits extends Pick<Turn, 'signal' | 'deadline' | 'waitForPerson'> {
  /** Milliseconds of the run's own time. */
  readonly elapsed: () => number;
  readonly stop: () => void;
}

/** One signal for everything that ends a run early: the caller, `timeout_ms` and the time budgets. */
function startLimits({ agent, context, ports, signal, resume }: RunRequest): Limits {
  const { timeout_ms, budget } = agent.resolved.config;
  const limits = [
    { name: 'timeout_ms', milliseconds: timeout_ms },
    { name: 'budget.max_time_ms', milliseconds: budget?.max_time_ms },
    { name: 'budget.max_time_ms of the call', milliseconds: context?.budget?.max_time_ms },
  ];
  const { clock } = ports;
  const over = new AbortController();
  const unfollow = followCaller(over, signal);

  let shortest: { name: string; milliseconds: number } | undefined;
  for (const { name, milliseconds } of limits) {
    if (milliseconds !== undefined && (!shortest || milliseconds < shortest.milliseconds)) shortest = { name, milliseconds };
  }
  const before = resume?.elapsed_ms ?? 0;
  const started = clock.monotonic();
  let deadline = shortest && started + shortest.milliseconds - before;
  let cancel: (() => void) | undefined;
  let waiting = 0;
  /** When the first of those was asked who are waited for. */
  let since = 0;
  let waited = 0;
  const stop = (): void => {
    cancel?.();
    cancel = undefined;
  };
  const start = (): void => {
    if (!shortest || deadline === undefined) return;
    const { name, milliseconds } = shortest;
    const advice = `Raise ${name}, or use a faster model.`;
    cancel = clock.after(Math.max(0, deadline - clock.monotonic()), () =>
      over.abort(new RunTimeoutError(`The run took longer than ${milliseconds} ms (${name}). ${advice}`)),
    );
  };
  start();
  return {
    signal: over.signal,
    deadline: () => deadline,
    elapsed: () => before + Math.max(0, (waiting > 0 ? since : clock.monotonic()) - started - waited),
    async waitForPerson(answer) {
      if (waiting === 0) since = clock.monotonic();
      waiting += 1;
      stop();
      try {
        return await answer;
      } finally {
        waiting -= 1;
        if (waiting === 0) {
          const passed = clock.monotonic() - since;
          waited += passed;
          if (deadline !== undefined && !over.signal.aborted) {
            deadline += passed;
            start();
          }
        }
      }
    },
    stop: () => {
      unfollow();
      stop();
    },
  };
}
