import { type AgentTarget, findAgent } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import { loopLimits } from '../config/defaults.js';
import { mayFollowPlan } from '../config/mayFollowPlan.js';
import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { isObject, type Json, listOf } from '../json.js';
import { findCycles, findUnreachable, groupTeams } from '../routing/teamGraph.js';
import { listed, quoted } from '../words.js';
import { findGiven, type Given, layersOf, placeOf } from './facts/layers.js';
import { hasUnknownWays, needsProverTools, teamGraphOf } from './facts/routingProofs.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * Teams that lead to each other and nowhere else: only `max_total_teams` and `max_recursion_depth` end such a run. Agents whose plans call each
 * other in every run, in a circle or deeper than `loopLimits.nesting`: only that limit ends it. Tasks that wait for each other: none of them ever
 * begins, so such an orchestration does not run at all.
 */
export const routingCycle: Rule = {
  code: 'routing-cycle',
  severity: 'warning',
  kinds: ['orchestration', 'agent'],
  on: 'value',
  needsSchemas: needsProverTools,
  check(file, context, report) {
    if (file.identity.kind === 'agent') return checkPlans(file, context, report);
    checkTasks(file, report);
    const graph = teamGraphOf(file, context);
    if (hasUnknownWays(graph)) return;
    // A cycle that no run gets into is not a cycle; that its teams are unreachable is said.
    const unreachable = new Set(findUnreachable(graph));
    for (const { teams, edges, endless } of findCycles(graph)) {
      const [first, ...others] = edges;
      const isReached = teams.some((team) => !unreachable.has(team));
      if (!endless || first === undefined || !isReached) continue;
      const circle = teams.length === 1 ? `${quoted(teams[0])} leads only to itself` : `${listed(teams)} lead only to each other`;
      report({
        pointer: first.pointer,
        related: others
          .slice(0, mostShown)
          .map(({ pointer, to }) => ({ file: file.path, pointer, message: `This leads on to ${quoted(to)}.` })),
        message: `${circle}, and no way leads out: only the limits end such a run. Let a rule or default end it with null, or lead elsewhere.`,
        data: { teams, edges: edges.map(({ pointer }) => pointer) },
      });
    }
  },
};

/** One finding for each group of tasks that wait for each other, at the first of their dependencies. */
function checkTasks(file: ConfigFile, report: Report): void {
  for (const team of teamsIn(file.value)) {
    const waits = tasksIn(team).flatMap(({ name, value, pointer }) => {
      const names = listOf(value.depends_on);
      return names.flatMap((to, index) =>
        name !== undefined && typeof to === 'string'
          ? [{ from: name, to, pointer: `${pointer}/depends_on/${index}`, rule: undefined }]
          : [],
      );
    });
    const names = new Set(tasksIn(team).flatMap(({ name }) => name ?? []));
    for (const { teams: tasks, loops } of groupTeams({ teams: [...names], edges: waits.filter(({ to }) => names.has(to)) })) {
      if (!loops) continue;
      const members = new Set(tasks);
      const [first, ...others] = waits.filter(({ from, to }) => members.has(from) && members.has(to));
      if (first === undefined) continue;
      const inOrder = [...names].filter((name) => members.has(name));
      const circle =
        tasks.length === 1 ? `The task ${quoted(tasks[0])} waits for itself` : `The tasks ${listed(inOrder)} wait for each other`;
      report({
        pointer: first.pointer,
        severity: 'error',
        related: others
          .slice(0, mostShown)
          .map(({ pointer, from, to }) => ({ file: file.path, pointer, message: `${quoted(from)} waits for ${quoted(to)}.` })),
        message: `${circle}, so none of them ever begins and the orchestration does not run. Take one of these names out of depends_on.`,
        data: { team: team.id, tasks: inOrder },
      });
    }
  }
}

/** One finding for each call of the plan that comes back to it, with the shortest way, or that calls deeper than the limit lets it. */
function checkPlans(file: ConfigFile, context: RuleContext, report: Report): void {
  const own = file.identity.id;
  for (const call of planCallsOf(file, context)) {
    const circle = findWay(call, own, context);
    const way = circle ?? findDeepWay(call, own, context);
    if (way === undefined) continue;
    const agents = way.map(({ id }) => id);
    const place = placeOf(file, call.given, `This calls ${quoted(call.id)}.`);
    const others = way.slice(1, 1 + mostShown).flatMap(({ given: { fragment, pointer }, id }) => {
      return fragment.file === null ? [] : [{ file: fragment.file, pointer, message: `This calls ${quoted(id)}.` }];
    });
    report({
      ...place,
      related: [...(place.related ?? []), ...others],
      message: circle ? circleWords(own, agents) : depthWords(own, agents),
      data: { agents },
    });
  }
}

function circleWords(own: string, agents: readonly string[]): string {
  const circle = agents.length === 1 ? `${quoted(own)} calls itself` : `${listed(agents)} call each other`;
  return `${circle} in every run, until the limit of ${loopLimits.nesting} ends it as a failure. Give one of these steps a "when", or take it out.`;
}

function depthWords(own: string, agents: readonly string[]): string {
  const chain = [own, ...agents].map((id) => JSON.stringify(id)).join(' > ');
  return `Agents call each other more than ${loopLimits.nesting} deep in every run, which refuses the last of these calls: ${chain}. Put fewer agents between them, or give one of these steps a "when".`;
}

/** The calls from the first one to one of `goal`, as few as there are; undefined where none leads there before the limit ends the run. */
function findWay(first: PlanCall, goal: string, context: RuleContext): readonly PlanCall[] | undefined {
  const seen = new Set([first.id]);
  let ways: readonly (readonly PlanCall[])[] = [[first]];
  for (let depth = 1; depth <= loopLimits.nesting + 1; depth += 1) {
    const arrived = ways.find((way) => way.at(-1)?.id === goal);
    if (arrived) return arrived;
    ways = ways.flatMap((way) =>
      callsOf(way.at(-1), context).flatMap((next) => {
        if (seen.has(next.id)) return [];
        seen.add(next.id);
        return [[...way, next]];
      }),
    );
  }
  return undefined;
}

function callsOf(caller: PlanCall | undefined, context: RuleContext): readonly PlanCall[] {
  const agent = caller && context.agent(caller.name, caller.version);
  return agent ? planCallsOf(agent, context) : [];
}

/** Calls that go deeper than a run lets them, each agent once: those in a circle are told of as such. */
function findDeepWay(first: PlanCall, own: string, context: RuleContext): readonly PlanCall[] | undefined {
  let ways: readonly (readonly PlanCall[])[] = [[first]];
  for (let depth = 1; depth <= loopLimits.nesting; depth += 1) {
    const deeper = new Map<string, readonly PlanCall[]>();
    for (const way of ways) {
      const passed = new Set([own, ...way.map(({ id }) => id)]);
      for (const next of callsOf(way.at(-1), context)) if (!passed.has(next.id)) deeper.set(next.id, [...way, next]);
    }
    ways = [...deeper.values()];
  }
  return ways[0];
}

/** More places than that show nothing more. */
const mostShown = 20;

/** A step of a plan that calls another agent in every run that gets there. */
interface PlanCall extends AgentTarget {
  /** The place that names the agent. */
  readonly given: Given;
}

/** The calls of an agent's plan that no `when` stands before; none where a `${VAR}` decides. */
function planCallsOf(file: ConfigFile, context: RuleContext): readonly PlanCall[] {
  if (!mayFollowPlan(file.value, context.project)) return [];
  const stack = layersOf(file, context);
  const plan = stack && findGiven(stack, 'execution_plan');
  if (stack === undefined || plan === undefined || findGiven(stack, 'agent_type')?.value !== 'orchestrating') return [];
  if (!isObject(plan.value) || !Array.isArray(plan.value.steps)) return [];
  return (plan.value.steps as readonly Json[]).flatMap((step, index) => {
    if (!isObject(step) || typeof step.agent !== 'string' || step.when !== undefined) return [];
    const target = findAgent(context.project, step.agent);
    return target === undefined
      ? []
      : [{ ...target, given: { ...plan, value: step.agent, pointer: `${plan.pointer}/steps/${index}/agent` } }];
  });
}
