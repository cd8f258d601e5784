import { CancelledError, ConfigInvalidError, RunTimeoutError } from '../errors.js';
import { checkRunBudget } from '../runContext.js';
import { type CoveredInput, coverInput, inputCovered } from '../secrets/coverInput.js';
import { coverAll } from '../secrets/coverValue.js';
import { EventCover } from './eventCover.js';
import type { AgentEvent, RunResult } from './events.js';
import { orchestrating } from './plan/orchestrating.js';
import { react } from './react/react.js';
import { requirePrices } from './requirePrices.js';
import { finishRun, followCaller, storeEvent } from './runLifecycle.js';
import { RunRecord } from './runRecord.js';
import { singleShot } from './singleShot.js';
import { stopAtError } from './stopAtFinding.js';
import { gateOf } from './stopRun.js';
import type { AgentLoop, Turn } from './turn.js';
import type { GivenRunRequest, RunRequest } from './types.js';

const loops: { readonly [agentType: string]: AgentLoop } = {
  single_shot: singleShot,
  react,
  orchestrating,
};

/**
 * Runs one agent once. Yields events in order and ends with exactly one `final` event: a failure, a
 * timeout or a cancellation is a result, not an exception. Reads nothing but `agent` (frozen) and `payload`. Secrets in its events and result are
 * covered, whether they came from the input, a model or a tool.
 */
export async function* runAgent(givenRequest: GivenRunRequest): AsyncGenerator<AgentEvent, void, undefined> {
  // Plain data; to the compiler, a program's interface is not a `JsonObject`.
  const fullRequest = givenRequest as RunRequest;
  const { value, places } = keepable(fullRequest);
  const gate = gateOf(fullRequest);
  const request: RunRequest = { ...fullRequest, ...value, ...(gate && { gate }) };
  const { agent, store } = request;
  const cover = new EventCover(request.ports.knownSecrets);
  const record = new RunRecord(request);
  if (places.length > 0) record.log('warn', inputCovered, { places });
  const limits = startLimits(request);
  const turn: Turn = { request, record, run: runAgent, ...limits };
  let ended = false;

  try {
    try {
      if (store) {
        const { run_id, context } = record;
        const kept = coverAll({ context, payload: request.payload }, request.ports.knownSecrets);
        const { snapshot_path } = await store.begin({ run_id, agent, ...kept, elapsed: limits.elapsed });
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
      checkRunBudget(request.context);
      requirePrices([agent], request.context);
      const events = loop(turn);
      try {
        let next = await events.next();
        for (let isOver = false; !isOver; ) {
          isOver = next.done === true;
          for (const body of next.done ? cover.heldBack() : cover.take(next.value)) {
            const event = record.event(body);
            const failure = store && (await storeEvent(event, store));
            yield event;
            if (failure) throw failure.error;
          }
          if (next.done) record.complete(next.value);
          else next = await events.next();
        }
      } finally {
        // Ends the model call when the store failed or the consumer left.
        await events.return(null);
      }
    } catch (error) {
      record.fail(await failureOf(turn, error));
      await record.usage.countUnfinished();
    }
    const final = record.finalEvent();
    ended = true;
    yield await finishRun({ record, store }, final);
  } finally {
    limits.stop();
    if (!ended) {
      // The consumer stopped reading: what happened so far is stored as a cancelled run.
      record.fail(new CancelledError('The run was abandoned before its end.'));
      await record.usage.countUnfinished();
      await finishRun({ record, store }, record.finalEvent());
    }
  }
}

/** Why a run failed. It may stop there, and be ended at the stop. */
async function failureOf(turn: Turn, error: unknown): Promise<unknown> {
  const { signal, request } = turn;
  try {
    if (request.gate && !signal.aborted) await stopAtError(turn, request.gate, error);
  } catch (gateError) {
    if (!signal.aborted) return gateError;
  }
  // After an abort, the interrupted layer may throw an error of its own. The cause is the signal's reason.
  return signal.aborted ? signal.reason : error;
}

/** A durable run works with its stored input, in which secrets are covered: after a restart it has nothing else. */
function keepable({ payload, steps, ports }: RunRequest): CoveredInput<Pick<RunRequest, 'payload'>> {
  return steps && !steps.isOnlyKept ? coverInput({ payload }, ports.knownSecrets) : { value: { payload }, places: [] };
}

interface Limits extends Pick<Turn, 'signal' | 'deadline' | 'waitForPerson'> {
  /** Milliseconds the run itself has been active. */
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
    // One that is not finite is refused before the first call (`checkRunBudget`).
    if (milliseconds !== undefined && Number.isFinite(milliseconds) && (!shortest || milliseconds < shortest.milliseconds))
      shortest = { name, milliseconds };
  }
  const before = resume?.elapsed_ms ?? 0;
  const started = clock.monotonic();
  let deadline = shortest && started + shortest.milliseconds - before;
  let cancel: (() => void) | undefined;
  let waiting = 0;
  /** When the first of the open approvals was requested. */
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

/** Runs one agent once and returns its result; a failure, a timeout and a cancellation are results too. */
export function invokeAgent(request: GivenRunRequest): Promise<RunResult & ResultAliases> {
  return resultOf(runAgent(request));
}

/** Parts of a result under the names of the source documents: the same values, in memory only, so that a stored result has each once. */
export interface ResultAliases {
  /** `text`. */
  readonly answer: string;
  /** `conversation`. */
  readonly messages: RunResult['conversation'];
}

/** The result in the final event of a run, whose events are read to the end. */
export async function resultOf(events: AsyncIterable<AgentEvent>): Promise<RunResult & ResultAliases> {
  let result: RunResult | undefined;
  for await (const event of events) if (event.final) result = event.result;
  if (!result) throw new Error('The run ended without a final event.');
  return withAliases(result);
}

function withAliases(result: RunResult): RunResult & ResultAliases {
  return Object.defineProperties({ ...result }, { answer: { value: result.text }, messages: { value: result.conversation } }) as RunResult &
    ResultAliases;
}
