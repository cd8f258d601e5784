import { splitAgentReference } from '../config/agentReference.js';
import type { PlanStep } from '../generated/types.js';
import { type Json, listOf, pointerOf } from '../json.js';
import type { ProverTools } from '../routing/prover/choiceContext.js';
import { type Destination, findRedirections, findWays, type Routed, reachOf } from '../routing/prover/compareRouting.js';
import type { Counterexample } from '../routing/prover/counterexample.js';
import type { TaskContract } from '../routing/prover/routingModel.js';
import { contractOf } from '../rules/facts/routingProofs.js';
import { listed, quoted } from '../words.js';
import { type ComparedSide, placeOf } from './comparedSide.js';
import { pairAgents } from './pairAgents.js';
import { exampleOf, isSameRouting } from './routed.js';
import type { RouteChange } from './types.js';

interface Plan {
  readonly side: ComparedSide;
  readonly instance: string;
  readonly steps: readonly PlanStep[];
}

/** Steps of plans that only one side has, that run in other cases, do other work, or run in another order. What a step sends is not compared here. */
export function comparePlans(before: ComparedSide, after: ComparedSide, tools: ProverTools): readonly RouteChange[] {
  return pairAgents(before, after).flatMap(({ instance, before: was, after: is }) =>
    was === undefined || is === undefined ? [] : comparePlan(planOf(before, was.instance), planOf(after, instance), tools),
  );
}

function planOf(side: ComparedSide, instance: string): Plan {
  const { agent_type, execution_plan } = side.value.agents[instance] ?? {};
  // Agents of other types ignore a plan.
  const steps = agent_type === 'orchestrating' ? listOf(execution_plan?.steps) : [];
  // The schema of plans has been checked.
  return { side, instance, steps: steps as unknown as readonly PlanStep[] };
}

function comparePlan(before: Plan, after: Plan, tools: ProverTools): readonly RouteChange[] {
  const changes: RouteChange[] = [];
  const add = (change: RouteChange['change'], plan: Plan, step: string, words: string, example: Counterexample | null = null) =>
    changes.push({
      change,
      from: after.instance,
      to: step,
      message: `The step ${quoted(step)} ${words}.`,
      place: placeIn(plan, step),
      example: example === null ? null : exampleOf(example),
    });
  const olds = new Map(before.steps.map((step) => [step.name, step]));
  const news = new Map(after.steps.map((step) => [step.name, step]));
  for (const [name, step] of news) {
    const old = olds.get(name);
    if (old === undefined) add('opened', after, name, step.when === undefined ? 'is new' : 'is new, and runs on a condition');
    else compareStep(name, old, step);
  }
  for (const name of olds.keys()) if (!news.has(name)) add('closed', before, name, 'is gone');
  const common = (steps: ReadonlyMap<string, PlanStep>, others: ReadonlyMap<string, PlanStep>) =>
    [...steps.keys()].filter((name) => others.has(name));
  const [order, newOrder] = [common(olds, news), common(news, olds)];
  const moved = newOrder.find((name, index) => name !== order[index]);
  if (moved !== undefined) add('redirected', after, moved, `runs in another order: ${listed(newOrder)}`);
  return changes;

  function compareStep(name: string, old: PlanStep, now: PlanStep): void {
    const [did, does] = [workOf(old), workOf(now)];
    if (did !== does) add('redirected', after, name, `runs ${does} now, not ${did}`);
    const [was, is] = [routedOf(before, old), routedOf(after, now)];
    if (isSameRouting(was, is)) return;
    const proven = { was: { ...was, ways: findWays(was, tools) }, is: { ...is, ways: findWays(is, tools) } };
    const reach = { was: reachOf(proven.was.ways), is: reachOf(proven.is.ways) };
    const outcomes = (to: Destination) => [reach.was.get(to)?.outcome ?? 'none', reach.is.get(to)?.outcome ?? 'none'] as const;
    const [ran, runs] = outcomes(name);
    const [skipped, skips] = outcomes(null);
    const example = (side: 'was' | 'is', to: Destination) => reach[side].get(to)?.example ?? null;
    if ([ran, runs, skipped, skips].includes('unknown'))
      add('unknown', after, name, 'has another condition: in which cases it runs is not decided');
    else if (ran === 'none' && runs === 'found') add('opened', after, name, 'may run now', example('is', name));
    else if (ran === 'found' && runs === 'none') add('closed', after, name, 'never runs now', example('was', name));
    else if (skipped === 'none' && skips === 'found') add('redirected', after, name, 'may be skipped now', example('is', null));
    else if (skipped === 'found' && skips === 'none') add('redirected', after, name, 'is never skipped now', example('was', null));
    else {
      const { found, isOpen } = findRedirections(proven.was, proven.is, () => true, tools);
      for (const { to, example: some } of found) {
        add(
          'redirected',
          after,
          name,
          to === null ? 'is skipped in cases in which it ran before' : 'runs in cases in which it was skipped before',
          some,
        );
      }
      if (isOpen && found.length === 0) add('unknown', after, name, 'has another condition: in which cases it runs is not decided');
    }
  }
}

function placeIn({ side, instance, steps }: Plan, step: string) {
  const index = steps.findIndex(({ name }) => name === step);
  return placeOf(side, pointerOf('agents', instance, 'execution_plan', 'steps', index)) ?? null;
}

/** What a step runs; another version of an agent, or other words for a model, is no other work. */
function workOf({ agent, skill }: PlanStep): string {
  if (agent !== undefined) return `the agent ${quoted(splitAgentReference(agent).name)}`;
  return skill === undefined ? 'a prompt' : `the tool ${quoted(skill)}`;
}

/** For the prover, a step is a team whose only rule leads to it; else it is skipped. Its condition compares steps. */
function routedOf({ side, steps }: Plan, { name, when }: PlanStep): Routed {
  const contracts = new Map<string, TaskContract>();
  for (const step of steps) {
    const agent = step.agent === undefined ? undefined : side.value.agents[step.agent];
    const contract = step.llm !== undefined ? { output_schema: { type: 'string' } } : agent && contractOf(agent);
    if (contract !== undefined) contracts.set(step.name, contract);
  }
  const tasks = steps.map((step) => step.name);
  // A condition is JSON.
  if (when !== undefined) return { rules: [{ condition: when as unknown as Json, next: name }], fallback: null, tasks, contracts };
  return { rules: [], fallback: name, tasks, contracts };
}
