import { CancelledError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { LlmClient } from '../llm/types.js';
import type { Logger, MaybePromise, Ports } from '../ports.js';
import type { TraceContext } from '../runContext.js';
import { coverAll } from '../secrets/coverValue.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { OpenTools, Tool } from '../tools/types.js';
import type { AgentEvent, RunContext, RunResult } from './events.js';
import { runAgent } from './runAgent.js';
import { coverWatch, type ModelCallWatch, type RunWatch, type ToolCallWatch } from './runWatch.js';
import type { Agent, ConnectAgent, RunRequest } from './types.js';

export type { ModelCallWatch, RunWatch, ToolCallWatch };

/**
 * Watches runs, for example to measure them. It changes nothing: an error it throws is logged, and the run continues without it. It sees no
 * secret, whether the run got it from the caller, a model or a tool.
 */
export interface RunObserver {
  /** A run is about to start. Undefined: this one is not watched. */
  begin(run: ObservedRun): MaybePromise<RunWatch | undefined>;
  /** An orchestration is about to start; its tasks' agents are started one by one, as runs. Undefined: it is not watched, and they may be. */
  beginOrchestration?(run: ObservedOrchestration): MaybePromise<OrchestrationWatch | undefined>;
  /** A run that never started: no such agent, an invalid config or input. `context` is the caller's. */
  refused?(result: RunResult, context: Partial<RunContext>): MaybePromise<void>;
  /** Sends pending data, within a time limit; never rejects. Programs await it before they end. */
  flush?(): Promise<void>;
}

export interface ObservedRun {
  readonly agent: Agent;
  readonly payload: JsonObject;
  /** The caller's; the run's id replaces a missing trace or correlation id. */
  readonly context: Partial<RunContext>;
  readonly delivery: 'stream' | 'call';
  /** Of a task of an orchestration. */
  readonly team?: string;
  readonly task?: string;
}

export interface ObservedOrchestration {
  readonly snapshot: Snapshot;
  /** By instance. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** The caller's, as in `ObservedRun`. */
  readonly context: Partial<RunContext>;
}

/** Follows the run of an orchestration. */
export interface OrchestrationWatch {
  /** Every event, in order, including those of tasks and the final one. */
  event(event: AgentEvent): void;
  /** The reader of the events left before the final one. */
  abandoned(): void;
  /** The span above those of the agents of the current team, in whichever process they run. */
  parent(): TraceContext | undefined;
}

/** Reports a run that was refused before it started. */
export async function observeRefusal(
  observer: RunObserver,
  result: RunResult,
  context: Partial<RunContext>,
  { logger, knownSecrets }: Pick<Ports, 'logger' | 'knownSecrets'>,
): Promise<void> {
  try {
    await observer.refused?.(result, coverAll(context, knownSecrets));
  } catch (error) {
    logger.log('error', 'A refused run could not be reported.', { error });
  }
}

/** As `runAgent`, watched. */
export async function* observeRun(observer: RunObserver, request: RunRequest): AsyncGenerator<AgentEvent, void, undefined> {
  const { agent, delivery = 'stream' } = request;
  const { logger, knownSecrets } = request.ports;
  const { payload, context } = coverAll({ payload: request.payload, context: request.context ?? {} }, knownSecrets);
  let watch: RunWatch | undefined;
  try {
    watch = await observer.begin({ agent, payload, context, delivery });
  } catch (error) {
    logger.log('error', 'A run could not be watched.', { error });
  }
  if (!watch) {
    yield* runAgent(request);
    return;
  }
  const safe = withoutThrows(coverWatch(watch, knownSecrets), logger);
  let ended = false;
  try {
    const { llm, openTools, connectAgent } = request;
    for await (const event of runAgent({
      ...request,
      llm: watchModel(llm, safe),
      ...(openTools && { openTools: watchTools(openTools, safe) }),
      ...(connectAgent && { connectAgent: watchAgents(connectAgent, safe) }),
    })) {
      ended = event.final;
      safe.event(event);
      yield event;
    }
  } finally {
    if (!ended) safe.abandoned();
  }
}

/** Model and tool calls of the agents that a plan calls belong to the run of the plan. */
function watchAgents(connectAgent: ConnectAgent, watch: RunWatch): ConnectAgent {
  return async (agent) => {
    const { llm, openTools, ...connections } = await connectAgent(agent);
    return { ...connections, llm: watchModel(llm, watch), ...(openTools && { openTools: watchTools(openTools, watch) }) };
  };
}

function watchModel(llm: LlmClient, watch: RunWatch): LlmClient {
  return {
    async call(request) {
      const call = watch.modelCall(request);
      try {
        const completion = await llm.call(request);
        call.end(completion);
        return completion;
      } catch (error) {
        call.fail(error);
        throw error;
      }
    },
    async *stream(request) {
      const call = watch.modelCall(request);
      let ended = false;
      try {
        for await (const part of llm.stream(request)) {
          if (part.type === 'completion') {
            ended = true;
            call.end(part.completion);
          } else call.part(part);
          yield part;
        }
      } catch (error) {
        if (!ended) call.fail(error);
        ended = true;
        throw error;
      } finally {
        if (!ended) call.fail(request.signal?.aborted ? request.signal.reason : new CancelledError('The answer is no longer needed.'));
      }
    },
  };
}

function watchTools(open: OpenTools, watch: RunWatch): OpenTools {
  return async (run) => {
    const set = await open(run);
    return { ...set, tools: set.tools.map((tool) => watchTool(tool, watch)), close: () => set.close() };
  };
}

function watchTool(tool: Tool, watch: RunWatch): Tool {
  return {
    ...tool,
    async call(input, context) {
      const call = watch.toolCall(tool, input, context);
      try {
        const outcome = await call.within(() => tool.call(input, context));
        call.end(outcome);
        return outcome;
      } catch (error) {
        call.fail(error);
        throw error;
      }
    },
  };
}

/** Calls a watch until it throws for the first time: the error is logged, and the watch is not called again. */
export function untilItThrows(logger: Logger): <Result>(act: () => Result) => Result | undefined {
  let failed = false;
  return (act) => {
    if (failed) return undefined;
    try {
      return act();
    } catch (error) {
      failed = true;
      logger.log('error', 'A run is no longer watched.', { error });
      return undefined;
    }
  };
}

/** The same watch; its first error is logged, and it is not called again after that. */
function withoutThrows(watch: RunWatch, logger: Logger): RunWatch {
  const safely = untilItThrows(logger);
  return {
    event: (event) => safely(() => watch.event(event)),
    abandoned: () => safely(() => watch.abandoned()),
    modelCall(request) {
      const call = safely(() => watch.modelCall(request));
      return {
        part: (part) => safely(() => call?.part(part)),
        end: (completion) => safely(() => call?.end(completion)),
        fail: (error) => safely(() => call?.fail(error)),
      };
    },
    toolCall(tool, input, context) {
      const call = safely(() => watch.toolCall(tool, input, context));
      return {
        // Not guarded: an exception comes from the tool.
        within: (act) => (call ? call.within(act) : act()),
        end: (outcome) => safely(() => call?.end(outcome)),
        fail: (error) => safely(() => call?.fail(error)),
      };
    },
  };
}
