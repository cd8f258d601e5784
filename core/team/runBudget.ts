import type { RunContext, RunError, RunResult } from '../agent/events.js';
import { toRunError } from '../agent/runResult.js';
import { usdText } from '../amounts.js';
import { type AgentStackError, BudgetExceededError, RunTimeoutError } from '../errors.js';

export type Budget = NonNullable<RunContext['budget']>;
type Limit = 'max_cost' | 'max_time_ms';

/** What is left of a run's budget for a task that starts now, in whole milliseconds; zero or less for a limit that is used up. */
export function budgetLeft({ max_cost, max_time_ms, ...otherLimits }: Budget, spent: number, elapsed_ms: number): Budget {
  return {
    ...otherLimits,
    ...(max_cost !== undefined && { max_cost: max_cost - spent }),
    ...(max_time_ms !== undefined && { max_time_ms: Math.ceil(max_time_ms - Math.max(0, elapsed_ms)) }),
  };
}

/** Why a task may not start: which part of the run's budget is used up. Undefined where it may. */
export function budgetRefusal({ budget = {} }: RunContext): RunError | undefined {
  const { max_cost, max_time_ms } = budget;
  if (max_cost !== undefined && max_cost <= 0) return refusal('max_cost', new BudgetExceededError(words('max_cost')));
  if (max_time_ms !== undefined && max_time_ms <= 0) return refusal('max_time_ms', new RunTimeoutError(words('max_time_ms')));
  return undefined;
}

/** The failure of a run in which this task was refused for its budget; undefined where it was not, or failed only because of another one that was. */
export function budgetFailure(task: string, team: string, { error }: RunResult, budget: Budget): AgentStackError | undefined {
  if (!error || error.details?.waited_for !== undefined) return undefined;
  return spentBudget(error, budget, `so task "${task}" of team "${team}" was not begun`);
}

/** The failure of a run without any budget left, as a refusal says; undefined for any other error. */
export function spentBudget({ details }: RunError, budget: Budget, place: string): AgentStackError | undefined {
  switch (details?.budget_of_run) {
    case 'max_cost':
      return new BudgetExceededError(
        `The run has spent its budget of ${usdText(budget.max_cost ?? 0)} (budget.max_cost), ${place}. Raise it, or use cheaper models.`,
      );
    case 'max_time_ms':
      return new RunTimeoutError(
        `The run took longer than ${budget.max_time_ms} ms (budget.max_time_ms), ${place}. Raise it, or use faster models.`,
      );
    default:
      return undefined;
  }
}

function words(limit: Limit): string {
  return `Nothing is left of the run's budget.${limit}, so the task was not begun.`;
}

function refusal(limit: Limit, error: AgentStackError): RunError {
  return { ...toRunError(error), details: { budget_of_run: limit } };
}
