import type { ConfigFile } from '../../config/configFile.js';
import type { Json } from '../../json.js';
import type { ModelTable } from '../../llm/modelTable.js';
import { priceOf } from '../../llm/price.js';
import { countText } from '../../llm/tokenText.js';
import { callsWords, sumWorstCases, type WorstCase } from '../../llm/worstCase.js';
import { assumedInput, type StaticFacts, type StaticWorstCase, staticWorstCase } from '../../prompt/staticWorstCase.js';
import { answerBound, cautiousTokens, type InputBound, inputBound } from '../../prompt/tokenBounds.js';
import { boundRuns, type RunLimits } from '../../routing/boundRuns.js';
import { createTeamGraph, type TeamGraph } from '../../routing/teamGraph.js';
import type { ResolvedOrchestration } from '../../snapshot/resolveOrchestration.js';
import { type FrozenOrchestration, type FrozenTask, instanceOf } from '../../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import { inEnglish, type Translate } from '../../words.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { hasUnknownRoutes, teamGraphOf } from './routingProofs.js';

/** A task, and what one run of its agent can use at most. */
export interface TaskBound {
  readonly team: string;
  readonly task: string;
  /** Undefined where the config names no model. */
  readonly model_name: string | undefined;
  readonly worst: WorstCase;
  /** Tokens assumed for the external part of its input; absent where there is no such part. */
  readonly assumed_input?: number;
}

export interface TeamBound {
  readonly team: string;
  /** How often a run executes it at most; 0 for a team that no run reaches. */
  readonly executions: number;
  /** One execution: all its tasks. */
  readonly each: WorstCase;
}

/** The most that any run of an orchestration can use, computed before it starts. */
export interface OrchestrationBounds {
  readonly run: WorstCase;
  /** Maximum team executions of a run. */
  readonly executions: number;
  /** In file order. */
  readonly teams: readonly TeamBound[];
  /** Tasks of unknown cost that a run may reach: the reason why `run.cost` is null. */
  readonly unknown: readonly TaskBound[];
  /** Tokens assumed for the external part of each input; null where all inputs of the run have a bound. */
  readonly assumed_input: number | null;
}

export interface BoundsRequest {
  readonly resolved: Pick<ResolvedOrchestration, 'frozen' | 'agents'>;
  readonly models: Pick<ModelTable, 'find'>;
  /** The routes between its teams as far as they are proven. Default: all that the file has. */
  readonly graph?: TeamGraph | undefined;
  /** Tokens assumed for external input. Default: `assumedInput`. */
  readonly assumed_input?: number | undefined;
}

/**
 * The worst case of an orchestration from its limits: never below what some run uses, provided that holds for its tasks. Calls, tokens and cost
 * are bounded separately, since the run with the most calls need not be the most expensive. Undefined while one of its agents is missing.
 */
export function orchestrationBounds({
  resolved,
  models,
  graph,
  assumed_input = assumedInput,
}: BoundsRequest): OrchestrationBounds | undefined {
  const { frozen } = resolved;
  const tasks = tasksOf(resolved, models, assumed_input);
  if (tasks === undefined) return undefined;
  const routes = graph !== undefined && !hasUnknownRoutes(graph) ? graph : createTeamGraph(frozen as unknown as Json);
  return boundTasks(tasks, routes, {
    max_total_teams: frozen.max_total_teams,
    depthOf: (team) =>
      (Object.hasOwn(frozen.teams, team) ? frozen.teams[team]?.max_recursion_depth : undefined) ?? frozen.max_recursion_depth,
  });
}

/** @param tasks of all teams of the graph */
export function boundTasks(
  tasks: readonly TaskBound[],
  graph: Pick<TeamGraph, 'entry' | 'teams' | 'edges'>,
  limits: RunLimits,
): OrchestrationBounds {
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
      calls: most(({ calls }) => calls) ?? Number.POSITIVE_INFINITY,
      prompt_tokens: most(({ prompt_tokens }) => prompt_tokens),
      completion_tokens: most(({ completion_tokens }) => completion_tokens),
      cost: most(({ cost }) => cost),
      unknown: unknown[0]?.worst.unknown ?? null,
      limit: most(({ limit }) => limit),
    },
    executions: total,
    teams: graph.teams.map((team) => ({ team, executions: executions.get(team) ?? 0, each: each.get(team) as WorstCase })),
    unknown,
    assumed_input: tasks.find((task) => task.assumed_input !== undefined && executions.has(task.team))?.assumed_input ?? null,
  };
}

function tasksOf(
  { frozen, agents }: BoundsRequest['resolved'],
  models: BoundsRequest['models'],
  assumed: number,
): readonly TaskBound[] | undefined {
  const factsOf = createFacts(agents, models, assumed);
  const inputOf = createInputs(frozen, agents, factsOf, assumed);
  // Tasks that use an agent file unchanged share one.
  const worstCases = new Map<ResolvedAgent, Map<string, StaticWorstCase | undefined>>();
  const tasks: TaskBound[] = [];
  for (const [team, { tasks: all }] of Object.entries(frozen.teams)) {
    for (const task of all) {
      const agent = agents.get(instanceOf(team, task.name));
      if (agent === undefined) return undefined;
      const input = inputOf(team, task);
      const key = `${input.tokens} ${input.isAssumed}`;
      const agentCases = worstCases.get(agent) ?? new Map<string, StaticWorstCase | undefined>();
      worstCases.set(agent, agentCases);
      if (!agentCases.has(key)) agentCases.set(key, staticWorstCase({ ...factsOf(agent), input }));
      const worst = agentCases.get(key);
      if (worst === undefined) return undefined;
      const assumption = worst.input === 'assumed' ? { assumed_input: assumed } : {};
      tasks.push({ team, task: task.name, model_name: agent.config.model_name, worst, ...assumption });
    }
  }
  return tasks;
}

/** The input of each task: from its template, or the context with everything that routing adds to it. */
function createInputs(
  frozen: FrozenOrchestration,
  agents: ReadonlyMap<string, ResolvedAgent>,
  factsOf: (agent: ResolvedAgent) => StaticFacts,
  assumed: number,
): (team: string, task: FrozenTask) => InputBound {
  const ofTask = (team: string, [name = '', , ...path]: readonly string[]): InputBound => {
    const writer = agents.get(instanceOf(team, name));
    const tokens = writer && answerBound({ config: writer.config, model: factsOf(writer).model }, path);
    return tokens === undefined ? fromOutside : { tokens, isAssumed: false };
  };
  const written = cautiousTokens(JSON.stringify(frozen.context));
  let added = 0;
  for (const [team, { routing }] of Object.entries(frozen.teams)) {
    for (const { context_updates } of routing.rules ?? []) {
      if (context_updates === undefined) continue;
      // Values that an update takes from the context or from outside are counted there.
      const boundOf = ([root, ...rest]: readonly string[]) => (root === 'tasks' ? ofTask(team, rest) : fromOutside);
      // A merge patch that fits the schema is JSON.
      added += inputBound(context_updates as Json, boundOf, 0).tokens;
    }
  }
  const context: InputBound = { tokens: written + added, isAssumed: true };
  return (team, { input }) => {
    if (input === undefined) return { tokens: context.tokens + assumed, isAssumed: true };
    const boundOf = ([root, ...rest]: readonly string[]): InputBound =>
      root === 'tasks' ? ofTask(team, rest) : root === 'context' ? context : { tokens: written, isAssumed: true };
    return inputBound(input as Json, boundOf, assumed);
  };
}

const fromOutside: InputBound = { tokens: 0, isAssumed: true };

/** The facts that decide the cost of an agent and of the agents that its plan calls, which are in `agents` by `name@version`. */
export function createFacts(
  agents: ReadonlyMap<string, ResolvedAgent>,
  models: Pick<ModelTable, 'find'>,
  assumed_input: number = assumedInput,
): (agent: ResolvedAgent) => StaticFacts {
  const factsOf = (resolved: ResolvedAgent): StaticFacts => {
    const model = models.find(resolved.config.model_name ?? '', resolved.llm.provider);
    return { resolved, model, price: priceOf(resolved.llm, model, resolved.config.model_name ?? ''), called, assumed_input };
  };
  const called = (reference: string): StaticFacts | undefined => {
    const agent = agents.get(reference);
    return agent && factsOf(agent);
  };
  return factsOf;
}

/** The worst case of an orchestration file, using the proofs about its routes. Undefined while one of its agents is missing. */
export const boundsIn = forLastFile((file: ConfigFile, context: RuleContext): OrchestrationBounds | undefined =>
  orchestrationBounds({
    resolved: context.orchestration(file),
    models: context.models,
    graph: teamGraphOf(file, context),
    assumed_input: context.project.settings.assumed_input_tokens,
  }),
);

/** The basis of the figures, as a sentence. @param language of `t`, BCP 47 */
export function basisWords(
  { assumed_input }: Pick<OrchestrationBounds, 'assumed_input'>,
  t: Translate = inEnglish,
  language = 'en',
): string {
  if (assumed_input === null) return t('Every input has a bound by what the tasks before it may answer.');
  return t('Counted with {0} tokens for the external part of each input.', countText(assumed_input, language));
}

/** `at most 12 teams, 40 calls, 0.43 USD`. */
export function boundsWords({ run, executions }: OrchestrationBounds, t: Translate = inEnglish, language = 'en'): string {
  const words = callsWords(run, t, language);
  return executions === 1 ? t('at most 1 team, {0}', words) : t('at most {0} teams, {1}', countText(executions, language), words);
}

/** `at most 3 times, each 2 calls, 0.09 USD`. */
export function teamBoundWords({ executions, each }: TeamBound, t: Translate = inEnglish, language = 'en'): string {
  if (executions === 0) return t('no run gets here');
  const words = callsWords(each, t, language);
  return executions === 1 ? t('at most once, {0}', words) : t('at most {0} times, each {1}', countText(executions, language), words);
}
