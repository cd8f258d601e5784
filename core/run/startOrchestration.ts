import { refusedRun } from '../agent/emptyResult.js';
import type { AgentEvent, RunContext } from '../agent/events.js';
import { observeRefusal, type RunObserver } from '../agent/observeRun.js';
import { SharedBudget } from '../agent/sharedBudget.js';
import type { EquipAgent } from '../agent/types.js';
import { AgentStackError, ResumeError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { MaybePromise, Ports } from '../ports.js';
import { createRunTask } from '../team/createRunTask.js';
import { observeOrchestration } from '../team/observeOrchestration.js';
import type { Orchestration, OrchestrationStore } from '../team/types.js';
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
  /** Keeps the run without its steps, where `keep` does not. Default: nothing is kept. */
  readonly store?: OrchestrationStore | undefined;
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
    const final = refusedRun(ports, { name: request.name, version: null, context }, error);
    if (observer) await observeRefusal(observer, final.result, context ?? {}, ports.logger);
    yield final;
    return;
  }
  try {
    const steps = kept?.steps;
    const store = kept?.orchestrationStore ?? request.store;
    const max_cost = context?.budget?.max_cost;
    const budget = max_cost === undefined ? undefined : new SharedBudget(max_cost, kept?.resume?.spent_usd);
    if (budget) kept?.countMoney(() => budget.spent);
    const runTask = createRunTask({ agents: orchestration.agents, equip, ports, steps, observer, delivery, budget });
    yield* observeOrchestration(observer, {
      orchestration,
      ports,
      runTask,
      ...(input && { input }),
      ...(context && { context }),
      ...(signal && { signal }),
      ...(store && { store }),
      ...(kept?.resume && { resume: kept.resume }),
    });
  } finally {
    kept?.release();
  }
}
