import type { AgentEvent, RunResult } from '../agent/events.js';
import { SharedBudget, type Spending } from '../agent/sharedBudget.js';
import { usdText } from '../amounts.js';
import { BudgetExceededError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { RunContext } from '../runContext.js';
import type { RunExposed } from '../serve/served.js';
import type { ApproveTool } from '../tools/types.js';
import type { ProjectCatalog } from './catalog.js';
import type { Project } from './types.js';

/** Common options of all runs of a server. */
export interface ServedRuns {
  readonly project: Project;
  readonly catalog: ProjectCatalog;
  /** Default: a tool that needs approval ends the run with `denied`. */
  readonly approve?: ApproveTool;
  readonly keep: 'folder' | 'none';
  /** USD for each run. */
  readonly max_cost?: number | undefined;
  /** USD for all runs of the server together. */
  readonly max_total_cost?: number | undefined;
  readonly allow_unpriced?: boolean | undefined;
}

export function createRunExposed({ project, catalog, approve, keep, max_cost, max_total_cost, allow_unpriced }: ServedRuns): RunExposed {
  const total = max_total_cost === undefined ? undefined : totalBudget(max_total_cost);
  const limit = max_cost ?? max_total_cost;

  return async ({ exposed, payload, signal, trace, session_id, onEvent, approve: ask = approve }) => {
    const budget = { ...(limit !== undefined && { max_cost: limit }), ...(allow_unpriced && { allow_unpriced }) };
    const context: Partial<RunContext> = {
      ...trace,
      ...(session_id !== undefined && { session_id }),
      ...(Object.keys(budget).length > 0 && { budget }),
    };
    const options = { context, signal, keep, ...(ask && { approve: ask }) };
    const events =
      exposed.kind === 'agent'
        ? project.run({
            ...options,
            ...catalog.overrides,
            agent_name: exposed.name,
            version: exposed.version ?? undefined,
            payload,
            ...(total && { spending: total }),
          })
        : project.orchestrate({
            ...options,
            ...catalog.overrides,
            name: exposed.name,
            input: payload as JsonObject,
            ...(total && limit !== undefined && { spending: bothBudgets(new SharedBudget(limit), total) }),
          });
    let result: RunResult | undefined;
    for await (const event of events as AsyncIterable<AgentEvent>) {
      onEvent?.(event);
      if (event.final) result = event.result;
    }
    if (result === undefined) throw new Error('The run ended without a final event.');
    return result;
  };
}

/** Names this limit in its error: that of a run is raised elsewhere. */
function totalBudget(max: number): Spending {
  const shared = new SharedBudget(max);
  return {
    async reserve(call, signal) {
      try {
        return await shared.reserve(call, signal);
      } catch (error) {
        if (!(error instanceof BudgetExceededError)) throw error;
        throw new BudgetExceededError(
          `The server may spend ${usdText(max)} in all (--max-total-cost), and its calls have spent ${usdText(shared.spent)}: it starts no further model call. Start it again with a higher limit.`,
        );
      }
    },
  };
}

/** Spends from two budgets at once: that of one run, and that of all runs. A call must fit both. */
export function bothBudgets(run: Spending, all: Spending): Spending {
  return {
    async reserve(call, signal) {
      const first = await run.reserve(call, signal);
      try {
        const second = await all.reserve({ least: call.least, most: first.amount }, signal);
        return {
          amount: second.amount,
          settle(cost) {
            second.settle(cost);
            first.settle(cost);
          },
        };
      } catch (error) {
        first.settle(0);
        throw error;
      }
    },
  };
}
