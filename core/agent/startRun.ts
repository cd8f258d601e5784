import { AgentStackError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { createLlmClient } from '../llm/llmClient.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import { refusedParameters } from '../llm/refusedParameters.js';
import type { MaybePromise, Ports } from '../ports.js';
import type { CallOverrides } from '../snapshot/types.js';
import type { AgentFactory } from './agentFactory.js';
import { checkPayload } from './checkPayload.js';
import { refusedRun } from './emptyResult.js';
import type { AgentEvent, RunContext } from './events.js';
import { observeRefusal, observeRun, type RunObserver } from './observeRun.js';
import { runAgent } from './runAgent.js';
import type { Agent, RunRequest, RunStore } from './types.js';

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
    const { agent_name: name, version, context } = request;
    const final = refusedRun(ports, { name, version, context }, error);
    if (observer) await observeRefusal(observer, final.result, context ?? {}, ports.logger);
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
