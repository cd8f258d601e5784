import type { Json } from '../../json.js';
import type { ProverTools } from './choiceContext.js';
import type { ConditionFault } from './conditionFaults.js';
import { type Counterexample, findMatch } from './counterexample.js';
import { findExample } from './findExample.js';
import { createRoutingModel, type RoutingModel, type TaskContract } from './routingModel.js';
import { type Constraint, type Effort, search } from './search.js';

/**
 * What is proven about one rule. `shadowed`: the rules `by` (indices, as few as were found) match everything it would.
 * `never`: its condition contradicts itself or the possible outputs of the tasks. `possible`: neither is proven.
 */
export type RuleProof = { readonly pointer: string } & (
  | { readonly verdict: 'possible' | 'never' }
  | { readonly verdict: 'shadowed'; readonly by: readonly number[] }
);

/**
 * Whether a case remains that no rule matches. A `gap` needs a failed task or a certain context only if `needs` says so;
 * one that needs neither is found first.
 */
export type Coverage =
  | { readonly verdict: 'default' | 'exhaustive' | 'unknown' }
  | {
      readonly verdict: 'gap';
      readonly counterexample: Counterexample;
      readonly needs: { readonly failure: boolean; readonly context: boolean };
    };

export interface RoutingProof {
  /** Comparisons that make no sense, in file order. */
  readonly faults: readonly ConditionFault[];
  /** By index of the rule. */
  readonly rules: readonly RuleProof[];
  readonly coverage: Coverage;
}

/** Comparisons examined for all rules of a team, and again for the cases they leave; some tens of milliseconds. The rest stays unknown. */
export const mostWork = 1_000_000;

/**
 * Decides what can be decided about a team's routing from the output schemas of its tasks. Its results are certain: a rule that
 * is reported as dead matches nothing, a counterexample has been evaluated. It is silent where open texts, patterns or the bound on
 * work leave a question open. Pure.
 *
 * @param team a value of `teams`, as written; any JSON
 * @param contracts by task name; a task missing here may yield anything
 */
export function proveRouting(team: Json, contracts: ReadonlyMap<string, TaskContract>, tools: ProverTools = {}): RoutingProof {
  const model = createRoutingModel(team, contracts, tools);
  const wish = (wanted: 0 | 1): readonly Constraint[] => model.rules.map(({ formula, size }) => ({ formula, wanted, size }));
  const wishes: Wishes = { hold: wish(1), fail: wish(0) };
  const coverage: Coverage = model.hasDefault ? { verdict: 'default' } : proveCoverage(model, wishes, { left: mostWork }, tools);
  const effort: Effort = { left: mostWork };
  return { faults: model.faults, rules: model.rules.map((_, index) => proveRule(model, wishes, index, effort)), coverage };
}

/** The rules of a model as constraints. */
interface Wishes {
  readonly hold: readonly Constraint[];
  readonly fail: readonly Constraint[];
}

function proveRule({ rules, variables, tasks }: RoutingModel, { hold, fail }: Wishes, index: number, effort: Effort): RuleProof {
  const { pointer } = rules[index] as RoutingModel['rules'][number];
  const itself = hold[index] as Constraint;
  const isDead = (earlier: readonly Constraint[]) => search([itself, ...earlier], variables, tasks.length, effort) === 'none';
  if (!isDead(fail.slice(0, index))) return { pointer, verdict: 'possible' };
  if (isDead([])) return { pointer, verdict: 'never' };
  const earlier = Array.from({ length: index }, (_, rule) => rule);
  const failing = (some: readonly number[]) => some.map((rule) => fail[rule] as Constraint);
  const alone = earlier.find((rule) => isDead(failing([rule])));
  if (alone !== undefined) return { pointer, verdict: 'shadowed', by: [alone] };
  // Drop rules that are not needed, the latest first: an early rule is more likely the intended one.
  let by = earlier;
  for (const rule of earlier.toReversed()) {
    const others = by.filter((other) => other !== rule);
    if (isDead(failing(others))) by = others;
  }
  return { pointer, verdict: 'shadowed', by };
}

function proveCoverage(model: RoutingModel, { fail }: Wishes, effort: Effort, { patterns }: ProverTools): Coverage {
  const conditions = model.rules.map(({ condition }) => condition);
  const search = findExample(model, fail, effort, (example) => findMatch(example, conditions, patterns) === null);
  if (search.outcome === 'found') return { verdict: 'gap', counterexample: search.example, needs: search.needs };
  return { verdict: search.outcome === 'none' ? 'exhaustive' : 'unknown' };
}
