import { type AgentTarget, findAgent } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import { loopLimits } from '../config/defaults.js';
import { mayFollowPlan } from '../config/mayFollowPlan.js';
import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { isObject, type Json, listOf } from '../json.js';
import { findCycles, findUnreachable, groupTeams } from '../routing/teamGraph.js';
import { listed, quoted } from '../words.js';
import { findSetting, layersOf, placeOf, type Setting } from './facts/layers.js';
import { hasUnknownRoutes, needsProverTools, teamGraphOf } from './facts/routingProofs.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * Teams that lead to each other and nowhere else: only `max_total_teams` and `max_recursion_depth` end such a run. Agents whose plans call each
 * other in every run, in a circle or deeper than `loopLimits.nesting`: only that limit ends it. Tasks that wait for each other: none of them
 * starts, so such an orchestration does not run at all.
 */
export const routingCycle: Rule = {
  code: 'routing-cycle',
  severity: 'warning',
  gravest: 'error',
  kinds: ['orchestration', 'agent'],
  on: 'value',
  needsSchemas: needsProverTools,
  check(file, context, report) {
    if (file.identity.kind === 'agent') return checkPlans(file, context, report);
    checkTasks(file, report);
    const graph = teamGraphOf(file, context);
    if (hasUnknownRoutes(graph)) return;
    // A cycle that no run reaches is no finding: its teams are reported as unreachable.
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
          .map(({ pointer, to }) => ({ file: file.path, pointer, message: `This leads to ${quoted(to)}.` })),
        message: `${circle}, and no route leads out: only the limits end such a run. Let a rule or default end it with null, or leave the circle.`,
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
        message: `${circle}, so none of them starts and the orchestration does not run. Remove one of these names from depends_on.`,
        data: { team: team.id, tasks: inOrder },
      });
    }
  }
}

/** One finding for each call of the plan that leads back to it, with the shortest chain, or that leads deeper than the limit allows. */
function checkPlans(file: ConfigFile, context: RuleContext, report: Report): void {
  const agentId = file.identity.id;
  for (const call of planCallsOf(file, context)) {
    const circle = findChain(call, agentId, context);
    const chain = circle ?? findDeepChain(call, agentId, context);
    if (chain === undefined) continue;
    const agents = chain.map(({ id }) => id);
    const place = placeOf(file, call.setting, `This calls ${quoted(call.id)}.`);
    const others = chain.slice(1, 1 + mostShown).flatMap(({ setting: { fragment, pointer }, id }) => {
      return fragment.file === null ? [] : [{ file: fragment.file, pointer, message: `This calls ${quoted(id)}.` }];
    });
    report({
      ...place,
      related: [...(place.related ?? []), ...others],
      message: circle ? circleWords(agentId, agents) : depthWords(agentId, agents),
      data: { agents },
    });
  }
}

function circleWords(agentId: string, agents: readonly string[]): string {
  const circle = agents.length === 1 ? `${quoted(agentId)} calls itself` : `${listed(agents)} call each other`;
  return `${circle} in every run, until the limit of ${loopLimits.nesting} ends it as a failure. Give one of these steps a "when", or remove it.`;
}

function depthWords(agentId: string, agents: readonly string[]): string {
  const chain = [agentId, ...agents].map((id) => JSON.stringify(id)).join(' > ');
  return `Agents call each other more than ${loopLimits.nesting} deep in every run, which refuses the last of these calls: ${chain}. Put fewer agents between them, or give one of these steps a "when".`;
}

/** The shortest chain of calls from the first to a call of `goal`; undefined where no chain gets there before the limit ends the run. */
function findChain(first: PlanCall, goal: string, context: RuleContext): readonly PlanCall[] | undefined {
  const seen = new Set([first.id]);
  let chains: readonly (readonly PlanCall[])[] = [[first]];
  for (let depth = 1; depth <= loopLimits.nesting + 1; depth += 1) {
    const arrived = chains.find((chain) => chain.at(-1)?.id === goal);
    if (arrived) return arrived;
    chains = chains.flatMap((chain) =>
      callsOf(chain.at(-1), context).flatMap((next) => {
        if (seen.has(next.id)) return [];
        seen.add(next.id);
        return [[...chain, next]];
      }),
    );
  }
  return undefined;
}

function callsOf(caller: PlanCall | undefined, context: RuleContext): readonly PlanCall[] {
  const agent = caller && context.agent(caller.name, caller.version);
  return agent ? planCallsOf(agent, context) : [];
}

/** A chain of calls deeper than a run allows, each agent once: circles are reported as such. */
function findDeepChain(first: PlanCall, agentId: string, context: RuleContext): readonly PlanCall[] | undefined {
  let chains: readonly (readonly PlanCall[])[] = [[first]];
  for (let depth = 1; depth <= loopLimits.nesting; depth += 1) {
    const deeper = new Map<string, readonly PlanCall[]>();
    for (const chain of chains) {
      const passed = new Set([agentId, ...chain.map(({ id }) => id)]);
      for (const next of callsOf(chain.at(-1), context)) if (!passed.has(next.id)) deeper.set(next.id, [...chain, next]);
    }
    chains = [...deeper.values()];
  }
  return chains[0];
}

/** Maximum related places. */
const mostShown = 20;

/** A step of a plan that calls another agent in every run that reaches the step. */
interface PlanCall extends AgentTarget {
  /** The place that names the agent. */
  readonly setting: Setting;
}

/** The calls of an agent's plan without a `when`; none where a `${VAR}` decides. */
function planCallsOf(file: ConfigFile, context: RuleContext): readonly PlanCall[] {
  if (!mayFollowPlan(file.value, context.project)) return [];
  const stack = layersOf(file, context);
  const plan = stack && findSetting(stack, 'execution_plan');
  if (stack === undefined || plan === undefined || findSetting(stack, 'agent_type')?.value !== 'orchestrating') return [];
  if (!isObject(plan.value) || !Array.isArray(plan.value.steps)) return [];
  return (plan.value.steps as readonly Json[]).flatMap((step, index) => {
    if (!isObject(step) || typeof step.agent !== 'string' || step.when !== undefined) return [];
    const target = findAgent(context.project, step.agent);
    return target === undefined
      ? []
      : [{ ...target, setting: { ...plan, value: step.agent, pointer: `${plan.pointer}/steps/${index}/agent` } }];
  });
}
