import type { AgentEvent, FinalEvent, RunContext } from '../agent/events.js';
import { observeRefusal, type RunObserver } from '../agent/observeRun.js';
import type { EquipAgent } from '../agent/runAgent.js';
import { toRunError } from '../agent/runRecord.js';
import { AgentStackError, ResumeError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { MaybePromise, Ports } from '../ports.js';
import { createRunTask } from '../team/createRunTask.js';
import { emptyResult } from '../team/emptyResult.js';
import { observeOrchestration } from '../team/observeOrchestration.js';
import type { Orchestration } from '../team/types.js';
import type { DurableRun } from './durableRun.js';

export interface StartOrchestrationRequest {
  readonly name: string;
  /** @throws AgentStackError, which refuses the run */
  readonly load: () => Promise<Orchestration>;
  /** What its agents work with; asked for once nothing stands in the way of the run. @throws AgentStackError, which refuses the run */
  readonly equip: (orchestration: Orchestration) => MaybePromise<EquipAgent>;
  /** Laid over the orchestration's own context as a merge patch. Default: nothing. */
  readonly input?: JsonObject;
  readonly ports: Ports;
  readonly context?: Partial<RunContext>;
  readonly signal?: AbortSignal;
  readonly delivery?: 'stream' | 'call';
  /** Watches the run and those of its agents. */
  readonly observer?: RunObserver | undefined;
  /** Keeps the run, so that it can go on in another process; asked for last. Default: nothing is kept. */
  readonly keep?: (orchestration: Orchestration) => MaybePromise<DurableRun>;
}

/**
 * From a name to the run of an orchestration: loads it, equips its agents and runs it. What stops it before the snapshot is frozen (an unknown
 * name, an invalid config) is a single failed `final` event without hash and path.
 */
export async function* startOrchestration(request: StartOrchestrationRequest): AsyncGenerator<AgentEvent, void, undefined> {
  const { ports, observer, context, input, signal, delivery } = request;
  let orchestration: Orchestration;
  let equip: EquipAgent;
  let kept: DurableRun | undefined;
  try {
    orchestration = await request.load();
    equip = await request.equip(orchestration);
    kept = await request.keep?.(orchestration);
  } catch (error) {
    // A run that cannot go on is as it was: nothing of it has failed.
    if (!(error instanceof AgentStackError) || error instanceof ResumeError) throw error;
    const final = refusal(request, error);
    if (observer) await observeRefusal(observer, final.result, context ?? {}, ports.logger);
    yield final;
    return;
  }
  try {
    const steps = kept?.steps;
    const runTask = createRunTask({ agents: orchestration.agents, equip, ports, steps, observer, delivery });
    yield* observeOrchestration(observer, {
      orchestration,
      ports,
      runTask,
      ...(input && { input }),
      ...(context && { context }),
      ...(signal && { signal }),
      ...(kept && { steps: kept.steps, store: kept.orchestrationStore }),
      ...(kept?.resume && { resume: kept.resume }),
    });
  } finally {
    kept?.release();
  }
}

function refusal({ ports, name, context }: StartOrchestrationRequest, error: AgentStackError): FinalEvent {
  const run_id = ports.random.id();
  return {
    run_id,
    seq: 0,
    time: new Date(ports.clock.now()).toISOString(),
    type: 'final',
    final: true,
    result: {
      ...emptyResult,
      run_id,
      error: toRunError(error),
      reasoning: { steps: [], decision: '', confidence: 0 },
      metadata: {
        agent_name: name,
        agent_version: null,
        provider: null,
        model_name: null,
        execution_time_ms: 0,
        iterations: 0,
        tools_used: [],
        token_usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cached_tokens: 0 },
        estimated_cost_usd: 0,
        snapshot_hash: null,
        snapshot_path: null,
        trace_id: context?.trace_id ?? run_id,
        correlation_id: context?.correlation_id ?? run_id,
        repairs: [],
        simulated: false,
        left_out: [],
      },
    },
  };
}
