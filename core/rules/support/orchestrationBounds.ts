import { sumWorstCases } from '../../llm/sumWorstCases.js';
import type { WorstCase } from '../../llm/worstCase.js';
import { boundRuns, type RunLimits } from '../../routing/boundRuns.js';
import type { TeamGraph } from '../../routing/teamGraph.js';

/** A task, and what one run of its agent can use at most. */
export interface TaskBound {
  readonly team: string;
  readonly task: string;
  /** `agent_name@version` of what does the task. */
  readonly agent: string;
  /** Undefined where the config names none. */
  readonly model_name: string | undefined;
  readonly worst: WorstCase;
}

export interface TeamBound {
  readonly team: string;
  /** How often a run executes it at most; 0 for a team that no run gets to. */
  readonly executions: number;
  /** One execution: all its tasks. */
  readonly each: WorstCase;
}

/** What any run of an orchestration can use at most, told before it starts. */
export interface OrchestrationBounds {
  readonly run: WorstCase;
  /** Team executions of a run at most. */
  readonly executions: number;
  readonly teams: readonly TeamBound[];
  /** Tasks that a run may get to and whose cost nobody knows: why `run.cost` is null. */
  readonly unknown: readonly TaskBound[];
}

export interface BoundsRequest {
  readonly graph: Pick<TeamGraph, 'entry' | 'teams' | 'edges'>;
  readonly limits: RunLimits;
  readonly tasks: readonly TaskBound[];
}

/**
 * The worst case of an orchestration from its limits: never below what some run uses, as far as the worst cases of its tasks are. Calls, tokens
 * and cost are bounded each by itself, since the run that makes the most calls need not be the dearest.
 */
export function boundOrchestration({ graph, limits, tasks }: BoundsRequest): OrchestrationBounds {
  const { executions, total, heaviest } = boundRuns(graph, limits);
  const once = new Map<string, { readonly worst: WorstCase; readonly times: 1 }[]>(graph.teams.map((team) => [team, []]));
  for (const { team, worst } of tasks) once.get(team)?.push({ worst, times: 1 });
  const each = new Map([...once].map(([team, all]) => [team, sumWorstCases(all)]));
  const most = (of: (worst: WorstCase) => number | null): number | null => {
    const sum = heaviest((team) => of(each.get(team) as WorstCase) ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(sum) ? sum : null;
  };
  const unknown = tasks.filter(({ team, worst }) => worst.unknown !== null && executions.has(team));
  return {
    run: {
      calls: most(({ calls }) => calls) as number,
      prompt_tokens: most(({ prompt_tokens }) => prompt_tokens),
      completion_tokens: most(({ completion_tokens }) => completion_tokens),
      cost: most(({ cost }) => cost),
      unknown: unknown[0]?.worst.unknown ?? null,
      limit: most(({ limit }) => limit),
    },
    executions: total,
    teams: graph.teams.map((team) => ({ team, executions: executions.get(team) ?? 0, each: each.get(team) as WorstCase })),
    unknown,
  };
}
