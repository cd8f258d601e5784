import { AgentStackError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { createLlmClient } from '../llm/llmClient.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import { refusedParameters } from '../llm/refusedParameters.js';
import type { MaybePromise, Ports } from '../ports.js';
import type { CallOverrides } from '../snapshot/resolveAgent.js';
import { type Agent, type AgentFactory, checkPayload } from './agentFactory.js';
import type { AgentEvent, FinalEvent, RunContext } from './events.js';
import { observeRefusal, observeRun, type RunObserver } from './observeRun.js';
import { type RunRequest, type RunStore, runAgent } from './runAgent.js';
import { toRunError } from './runRecord.js';

export interface StartRequest {
  readonly agent_name: string;
  readonly version: string;
  readonly payload: unknown;
  readonly overrides?: CallOverrides;
  readonly context?: Partial<RunContext>;
  readonly signal?: AbortSignal;
  readonly store?: RunStore;
  readonly delivery?: 'stream' | 'call';
  /** Providers beside the built-in ones. */
  readonly providers?: readonly LlmProvider[];
  /**
   * What the run works with beside its model, and in place of it, made once its agent is known and before anything runs.
   * @throws AgentStackError, which refuses the run
   */
  readonly equip?: (agent: Agent) => MaybePromise<Equipment>;
  /** Watches the run. */
  readonly observer?: RunObserver;
}

/** Everything outside that a run works with. `llm` takes the place of the agent's own model; `signal` ends the run beside that of the request. */
export type Equipment = Partial<Pick<RunRequest, 'llm' | 'openTools' | 'approve' | 'sessions' | 'ports' | 'signal' | 'steps' | 'equip'>>;

/**
 * From names to a run: loads the agent, checks its input, connects its model and runs it. What stops it before the
 * snapshot is frozen (an unknown agent, an invalid config or input) is a single failed `final` event without hash and path.
 */
export async function* startRun(factory: AgentFactory, ports: Ports, request: StartRequest): AsyncGenerator<AgentEvent, void, undefined> {
  const { observer } = request;
  let agent: Agent;
  let equipment: Equipment;
  try {
    agent = await factory.load(request.agent_name, request.version, request.overrides);
    checkPayload(agent.prompt, request.payload);
    equipment = (await request.equip?.(agent)) ?? {};
  } catch (error) {
    if (!(error instanceof AgentStackError)) throw error;
    const final = refusal(ports, request, error);
    if (observer) await observeRefusal(observer, final.result, request.context ?? {}, ports.logger);
    yield final;
    return;
  }
  const { context, signal, store, delivery } = request;
  const run: RunRequest = {
    agent,
    payload: request.payload as JsonObject,
    llm: equipment.llm ?? connect(agent, ports, request.providers),
    ports,
    ...(context && { context }),
    ...(signal && { signal }),
    ...(store && { store }),
    ...(delivery && { delivery }),
    ...equipment,
    ...(signal && equipment.signal && { signal: AbortSignal.any([signal, equipment.signal]) }),
  };
  yield* observer ? observeRun(observer, run) : runAgent(run);
}

/** The model client of an agent: its effective llm settings and its own number of tries. */
export function connect(agent: Agent, ports: Ports, providers: readonly LlmProvider[] = []) {
  const { llm, config } = agent.resolved;
  return createLlmClient({ ...llm, retry_attempts: config.retry_attempts }, ports, {
    unsupported: refusedParameters(agent.model, llm.options),
    providers,
  });
}

function refusal(ports: Ports, { agent_name, version, context }: StartRequest, error: AgentStackError): FinalEvent {
  const run_id = ports.random.id();
  const time = new Date(ports.clock.now()).toISOString();
  return {
    run_id,
    seq: 0,
    time,
    type: 'final',
    final: true,
    result: {
      run_id,
      success: false,
      status: 'failed',
      output: null,
      text: '',
      error: toRunError(error),
      conversation: [],
      final_response: null,
      tool_uses_in_final_turn: [],
      source_documents: [],
      reasoning: { steps: [], decision: '', confidence: 0 },
      metadata: {
        agent_name,
        agent_version: version,
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
