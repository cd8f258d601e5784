import { isObject, type Json, type JsonObject } from '../../json.js';
import { isEqual } from '../../jsonText/jsonCompare.js';
import { readCondition } from '../readCondition.js';
import { createChoiceContext, type ProverTools } from './choiceContext.js';
import { type Counterexample, findMatch } from './counterexample.js';
import { type ExampleSearch, findExample } from './findExample.js';
import { mostWork } from './proveRouting.js';
import { type ConditionModel, createModel, createRoutingModel, type ModelRule, type ReadRule, type TaskContract } from './routingModel.js';
import type { Constraint, Effort } from './search.js';
import { sharedSchema } from './sharedSchema.js';

/** The routing of a team: its rules in order, then its default. */
export interface Routed {
  readonly rules: readonly { readonly condition: Json; readonly next: string | null }[];
  /** Undefined: a run that no rule matches ends without a route. */
  readonly fallback: string | null | undefined;
  /** Names of the tasks. */
  readonly tasks: readonly string[];
  /** By task name; a task missing here may yield anything. */
  readonly contracts: ReadonlyMap<string, TaskContract>;
}

/** Where outputs lead: the next team, null for the end of the run, undefined for an end without a route. */
export type Destination = string | null | undefined;

/** One rule, or what happens if none matches (`rule` is null), with what the prover found about it. */
export interface Way {
  readonly rule: number | null;
  readonly to: Destination;
  readonly search: ExampleSearch;
}

/** Whether outputs lead somewhere: `found` by one of its rules, proven to be impossible, or undecided. */
export interface Reach {
  readonly outcome: ExampleSearch['outcome'];
  /** The rule with the example, else the first one that leads there. */
  readonly rule: number | null;
  readonly example: Counterexample | null;
}

/** The ways of a team, each with an output that takes it. */
export function findWays(routed: Routed, tools: ProverTools = {}): readonly Way[] {
  const model = createRoutingModel(teamOf(routed), routed.contracts, tools);
  const effort: Effort = { left: mostWork };
  const conditions = routed.rules.map(({ condition }) => condition);
  return waysOf(routed).map(({ rule, to }): Way => {
    const constraints = constraintsOf(model.rules, rule);
    return {
      rule,
      to,
      search: findExample(model, constraints, effort, (example) => findMatch(example, conditions, tools.patterns) === rule),
    };
  });
}

/** By destination. */
export function reachOf(ways: readonly Way[]): ReadonlyMap<Destination, Reach> {
  const reach = new Map<Destination, Reach>();
  const rank = { found: 2, unknown: 1, none: 0 };
  for (const { to, rule, search } of ways) {
    const best = reach.get(to);
    if (best !== undefined && rank[best.outcome] >= rank[search.outcome]) continue;
    reach.set(to, { outcome: search.outcome, rule, example: search.outcome === 'found' ? search.example : null });
  }
  return reach;
}

/** Outputs that lead elsewhere than before. */
export interface Redirection {
  readonly from: Destination;
  readonly to: Destination;
  /** The rule that takes them now. */
  readonly rule: number | null;
  readonly example: Counterexample;
}

export interface Redirections {
  readonly found: readonly Redirection[];
  /** Whether it stayed open for some outputs. */
  readonly isOpen: boolean;
}

/**
 * Outputs that are possible on both sides and lead elsewhere now, between destinations that `isCompared` names. Undecided where conditions compare
 * tasks that only one side has, and for answers in which different defaults fill in what they lack.
 */
export function findRedirections(
  before: Routed & { readonly ways: readonly Way[] },
  after: Routed & { readonly ways: readonly Way[] },
  isCompared: (from: Destination, to: Destination) => boolean,
  tools: ProverTools = {},
): Redirections {
  const pairs = before.ways.flatMap((was) =>
    after.ways.flatMap((is) => (isLive(was) && isLive(is) && was.to !== is.to && isCompared(was.to, is.to) ? [{ was, is }] : [])),
  );
  const keys = [before, after].map(({ rules }) => rules.map(({ condition }) => JSON.stringify(condition)));
  const [oldKeys = [], newKeys = []] = keys;
  // A rule cannot match where the same condition was passed over on the other side.
  const possible = pairs.filter(
    ({ was, is }) => !passes(newKeys, is.rule, keyAt(oldKeys, was.rule)) && !passes(oldKeys, was.rule, keyAt(newKeys, is.rule)),
  );
  if (possible.length === 0) return { found: [], isOpen: false };
  const model = jointModel(before, after, tools);
  if (model === undefined) return { found: [], isOpen: true };

  const effort: Effort = { left: mostWork };
  const found = new Map<string, Redirection>();
  const open = new Set<string>();
  const conditions = { before: before.rules.map(({ condition }) => condition), after: after.rules.map(({ condition }) => condition) };
  for (const { was, is } of possible) {
    const key = JSON.stringify([nameOf(was.to), nameOf(is.to)]);
    if (found.has(key)) continue;
    const constraints = [
      ...constraintsOf(model.rules.slice(0, before.rules.length), was.rule),
      ...constraintsOf(model.rules.slice(before.rules.length), is.rule),
    ];
    const search = findExample(
      model,
      constraints,
      effort,
      (example) =>
        findMatch(example, conditions.before, tools.patterns) === was.rule &&
        findMatch(example, conditions.after, tools.patterns) === is.rule &&
        model.fitsBoth(example),
    );
    if (search.outcome === 'found') found.set(key, { from: was.to, to: is.to, rule: is.rule, example: search.example });
    else if (search.outcome === 'unknown') open.add(key);
  }
  return { found: [...found.values()], isOpen: model.isPartial || [...open].some((key) => !found.has(key)) };
}

function nameOf(to: Destination): Json {
  return to === undefined ? [] : to;
}

function isLive({ search }: Way): boolean {
  return search.outcome !== 'none';
}

function keyAt(keys: readonly string[], rule: number | null): string | undefined {
  return rule === null ? undefined : keys[rule];
}

/** Whether a rule matches only where the condition `key` does not. */
function passes(keys: readonly string[], rule: number | null, key: string | undefined): boolean {
  return key !== undefined && keys.slice(0, rule ?? keys.length).includes(key);
}

function waysOf({ rules, fallback }: Routed): readonly Omit<Way, 'search'>[] {
  return [...rules.map(({ next }, rule) => ({ rule, to: next })), { rule: null, to: fallback }];
}

/** The rule matches and none before it does; null: no rule matches. */
function constraintsOf(rules: readonly ModelRule[], rule: number | null): readonly Constraint[] {
  const wish = ({ formula, size }: ModelRule, wanted: 0 | 1): Constraint => ({ formula, wanted, size });
  const own = rule === null ? undefined : rules[rule];
  const earlier = rules.slice(0, rule ?? rules.length).map((other) => wish(other, 0));
  return own === undefined ? earlier : [wish(own, 1), ...earlier];
}

function teamOf({ rules, fallback, tasks }: Routed): JsonObject {
  const routing = {
    rules: rules.map(({ condition, next }) => ({ condition, next_team: next })),
    ...(fallback !== undefined && { default: fallback }),
  };
  return { tasks: tasks.map((name) => ({ name })), routing };
}

interface JointModel extends ConditionModel {
  /** Whether the outputs are possible on both sides. */
  readonly fitsBoth: (example: Counterexample) => boolean;
  /** Answers that lack a field with another default are left out. */
  readonly isPartial: boolean;
}

/** Both sides' rules about the outputs that are possible on both; undefined where the sides do not compare the same. */
function jointModel(before: Routed, after: Routed, tools: ProverTools): JointModel | undefined {
  const read = [...before.rules, ...after.rules].map(
    ({ condition }): ReadRule => ({ pointer: '', condition, expression: readCondition(condition) }),
  );
  const named = tasksNamedIn(read.map(({ condition }) => condition));
  const contracts = new Map<string, TaskContract>();
  let isPartial = false;
  const differing: { readonly name: string; readonly schemas: readonly JsonObject[] }[] = [];
  for (const name of named) {
    if (!before.tasks.includes(name) || !after.tasks.includes(name)) return undefined;
    const [was, is] = [before.contracts.get(name), after.contracts.get(name)];
    isPartial ||= !isEqual(was?.defaults ?? {}, is?.defaults ?? {});
    const schemas = [was?.output_schema, is?.output_schema].filter((schema) => schema !== undefined);
    const [one, other = one] = schemas;
    if (one === undefined || other === undefined) continue;
    // References lead to definitions of their own schema, so such schemas are not merged.
    const merged = JSON.stringify(schemas).includes('"$ref"') && !isEqual(one, other) ? other : sharedSchema(one, other);
    contracts.set(name, { output_schema: isObject(merged) ? merged : { not: {} }, defaults: is?.defaults });
    if (!isEqual(one, other)) differing.push({ name, schemas });
  }
  const model = createModel(read, { known: [...named], contracts, contextOf: (schema) => createChoiceContext(schema, tools) });
  const contexts = differing.map(({ name, schemas }) => ({
    name,
    schemas,
    fits: schemas.map((schema) => createChoiceContext(schema, tools).fits),
  }));
  const fitsBoth = ({ outcomes }: Counterexample) =>
    contexts.every(({ name, schemas, fits }) => {
      const output = outcomes.get(name)?.output;
      return output === undefined || fits.every((fitsSide, side) => fitsSide(schemas[side] as JsonObject, output) === true);
    });
  return { ...model, fitsBoth, isPartial };
}

/** Tasks or steps whose output or status conditions compare. */
export function tasksNamedIn(conditions: Json): ReadonlySet<string> {
  const names = new Set<string>();
  const open: Json[] = [conditions];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...value);
    else if (isObject(value)) {
      const name = value.task ?? value.step;
      if (typeof name === 'string') names.add(name);
      open.push(...[value.any, value.not].filter((part) => part !== undefined));
    }
  }
  return names;
}
