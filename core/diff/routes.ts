import type { Json, JsonObject } from '../json.js';
import { isObject, pointerOf } from '../json.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import type { ProverTools } from '../routing/prover/choiceContext.js';
import { type Destination, findRedirections, findWays, type Routed, reachOf, type Way } from '../routing/prover/compareRouting.js';
import type { Counterexample } from '../routing/prover/counterexample.js';
import type { TaskContract } from '../routing/prover/routingModel.js';
import { createTeamGraph, findCycles, findUnreachable, type RouteCycle, type TeamGraph } from '../routing/teamGraph.js';
import { contractOf } from '../rules/facts/routingProofs.js';
import { type FrozenOrchestration, type FrozenTeam, instanceOf } from '../snapshot/snapshotValue.js';
import { listed, quoted } from '../words.js';
import { type ComparedSide, placeOf } from './comparedSide.js';
import { comparePlans } from './planRoutes.js';
import { exampleOf, isSameRouting, rulesOf } from './routed.js';
import type { RouteChange } from './types.js';

/**
 * The ways between teams that only one side has, or that other outputs take, each with an output that takes it; and the steps of plans. A rule that
 * moved, or says the same in other words, is no change.
 */
export function compareRoutes(before: ComparedSide, after: ComparedSide, tools: ProverTools = {}): readonly RouteChange[] {
  const plans = comparePlans(before, after, tools);
  const [old, now] = [before.value.orchestration, after.value.orchestration];
  if (old === undefined || now === undefined) return plans;
  return [...new TeamComparison({ side: before, frozen: old }, { side: after, frozen: now }, tools).compare(), ...plans];
}

interface TeamSide {
  readonly side: ComparedSide;
  readonly frozen: FrozenOrchestration;
}

/** A team as the prover sees it, and what it found. */
export interface ProvenRouting extends Routed {
  readonly ways: readonly Way[];
}

class TeamComparison {
  private readonly changes: RouteChange[] = [];
  private readonly before: TeamSide;
  private readonly after: TeamSide;
  private readonly tools: ProverTools;
  /** Name after the change by the name before it, of renamed teams. */
  private readonly renamed: ReadonlyMap<string, string>;

  constructor(before: TeamSide, after: TeamSide, tools: ProverTools) {
    this.before = before;
    this.after = after;
    this.tools = tools;
    this.renamed = renamedTeams(before.frozen, after.frozen);
  }

  compare(): readonly RouteChange[] {
    const olds = new Map(Object.entries(this.before.frozen.teams).map(([id, team]) => [this.newName(id), routedOf(this.before, id, team)]));
    const old = new Map([...olds].map(([id, routed]) => [id, this.withNewNames(routed)]));
    const now = new Map(Object.entries(this.after.frozen.teams).map(([id, team]) => [id, routedOf(this.after, id, team)]));
    const entry = { old: this.newName(this.before.frozen.entry_team), now: this.after.frozen.entry_team };
    const teams = [...new Set([...now.keys(), ...old.keys()])].sort();
    const changed = teams.filter((team) => !isSameRouting(old.get(team), now.get(team)));
    if (changed.length === 0 && entry.old === entry.now) return [];

    const proven = (all: ReadonlyMap<string, Routed>, others: ReadonlyMap<string, ProvenRouting>): ReadonlyMap<string, ProvenRouting> =>
      new Map([...all].map(([team, routed]) => [team, (!changed.includes(team) && others.get(team)) || prove(routed, this.tools)]));
    const was = proven(old, new Map());
    const is = proven(now, was);
    const graphs = { was: graphOf(was, entry.old), is: graphOf(is, entry.now) };
    if (entry.old !== entry.now) {
      const add = (change: 'opened' | 'closed', to: string, message: string) =>
        this.add({ change, from: null, to, message, rule: null, example: null });
      add('opened', entry.now, `A run starts with the team ${quoted(entry.now)} now.`);
      add('closed', entry.old, `A run no longer starts with the team ${quoted(entry.old)}.`);
    }
    const unreachable = { was: new Set(findUnreachable(graphs.was)), is: new Set(findUnreachable(graphs.is)) };
    for (const team of changed) {
      const [before, after] = [unreachable.was.has(team) ? undefined : was.get(team), unreachable.is.has(team) ? undefined : is.get(team)];
      // A team that no run reaches on one side is compared as written, so that only the way to it counts.
      if (before !== undefined || after !== undefined) this.compareTeam(team, was.get(team), is.get(team));
    }
    this.compareCycles(graphs.was, graphs.is, unreachable.is);
    return this.changes;
  }

  private compareTeam(team: string, before: ProvenRouting | undefined, after: ProvenRouting | undefined): void {
    const was = reachOf(before?.ways ?? []);
    const is = reachOf(after?.ways ?? []);
    let isOpen = false;
    for (const to of new Set([...is.keys(), ...was.keys()])) {
      const [old, now] = [was.get(to)?.outcome ?? 'none', is.get(to)?.outcome ?? 'none'];
      const side = now === 'none' ? was.get(to) : is.get(to);
      if (old === now || side === undefined) continue;
      const change = old === 'unknown' || now === 'unknown' ? 'unknown' : now === 'found' ? 'opened' : 'closed';
      isOpen ||= change === 'unknown';
      const message = {
        opened:
          to === undefined
            ? `A run may now end in the team ${quoted(team)} without a route.`
            : `The team ${quoted(team)} may now ${leads(to)}.`,
        closed:
          to === undefined
            ? `A run no longer ends in the team ${quoted(team)} without a route.`
            : `The team ${quoted(team)} no longer ${ledBy(to)}.`,
        unknown: `Whether the team ${quoted(team)} may ${to === undefined ? 'end the run without a route' : leads(to)} is not decided on one side.`,
      }[change];
      this.add({ change, from: team, to, message, rule: side.rule, example: change === 'unknown' ? null : side.example });
    }
    if (before === undefined || after === undefined || isEqual(rulesOf(before), rulesOf(after))) return;
    const isOnBoth = (to: Destination) => [was, is].every((reach) => (reach.get(to)?.outcome ?? 'none') !== 'none');
    const names = renamedTasks(this.teamBefore(team), this.after.frozen.teams[team]);
    const { found, isOpen: isUndecided } = findRedirections(
      withTaskNames(before, names),
      after,
      (from, to) => isOnBoth(from) && isOnBoth(to),
      this.tools,
    );
    for (const { from, to, rule, example } of found) {
      const message = `Some outputs that led from the team ${quoted(team)} ${whereTo(from)} lead ${whereTo(to)} now.`;
      this.add({ change: 'redirected', from: team, to, message, rule, example });
    }
    if (isUndecided && !isOpen) {
      const message = `The rules of the team ${quoted(team)} changed; whether outputs lead elsewhere is not decided.`;
      this.changes.push({ change: 'unknown', from: team, message, place: this.placeIn(this.after, team, null), example: null });
    }
  }

  /** Loops that had a way out before, or did not exist. */
  private compareCycles(was: TeamGraphs, is: TeamGraphs, unreachable: ReadonlySet<string>): void {
    const keyOf = ({ teams }: RouteCycle) => JSON.stringify([...teams].sort());
    const endless = (graph: TeamGraph) => findCycles(graph).filter((cycle) => cycle.endless);
    const old = { certain: endless(was.possible).map(keyOf), perhaps: endless(was.certain).map(keyOf) };
    for (const cycle of endless(is.possible)) {
      const [edge] = cycle.edges;
      const key = keyOf(cycle);
      if (edge === undefined || old.certain.includes(key) || cycle.teams.every((team) => unreachable.has(team))) continue;
      const isNew = !old.perhaps.includes(key);
      const names =
        cycle.teams.length === 1
          ? `The team ${quoted(cycle.teams[0])} leads only to itself`
          : `The teams ${listed(cycle.teams)} lead only to each other`;
      const message = `${names}: only a limit ends the run.${isNew ? '' : ' Whether it was so before is not decided.'}`;
      this.add({ change: isNew ? 'endless' : 'unknown', from: edge.from, to: edge.to, message, rule: edge.rule ?? null, example: null });
    }
  }

  private add({ change, from, to, message, rule, example }: Omit<RouteChange, 'place' | 'example' | 'to'> & Found): void {
    const isGone = change === 'closed' || (change === 'unknown' && from !== null && this.after.frozen.teams[from] === undefined);
    this.changes.push({
      change,
      from,
      to: to ?? null,
      ...(to === undefined && { no_route: true }),
      message,
      place: this.placeIn(isGone ? this.before : this.after, from, rule),
      example: example === null ? null : exampleOf(example),
    });
  }

  private placeIn({ side }: TeamSide, from: string | null, rule: number | null) {
    if (from === null) return placeOf(side, '/orchestration/entry_team') ?? null;
    const team = side === this.before.side ? ([...this.renamed].find(([, name]) => name === from)?.[0] ?? from) : from;
    const routing = pointerOf('orchestration', 'teams', team, 'routing');
    const rulePlace = rule === null ? `${routing}/default` : `${routing}/rules/${rule}/next_team`;
    return placeOf(side, rulePlace) ?? placeOf(side, routing) ?? placeOf(side, pointerOf('orchestration', 'teams', team)) ?? null;
  }

  private teamBefore(team: string): FrozenTeam | undefined {
    const [old = team] = [...this.renamed].find(([, name]) => name === team) ?? [];
    return this.before.frozen.teams[old];
  }

  private newName(team: string): string {
    return this.renamed.get(team) ?? team;
  }

  private withNewNames(routed: Routed): Routed {
    const rename = <To extends Destination>(to: To): To | string => (typeof to === 'string' ? this.newName(to) : to);
    return {
      ...routed,
      rules: routed.rules.map(({ condition, next }) => ({ condition, next: rename(next) })),
      fallback: rename(routed.fallback),
    };
  }
}

interface Found {
  readonly to: Destination;
  readonly rule: number | null;
  readonly example: Counterexample | null;
}

function prove(routed: Routed, tools: ProverTools): ProvenRouting {
  return { ...routed, ways: findWays(routed, tools) };
}

function routedOf({ side }: TeamSide, team: string, { tasks, routing }: FrozenTeam): Routed {
  const contracts = new Map<string, TaskContract>();
  for (const { name } of tasks) {
    const agent = side.value.agents[instanceOf(team, name)];
    const contract = agent && contractOf(agent);
    if (contract !== undefined) contracts.set(name, contract);
  }
  const rules = (routing.rules ?? []).map(({ condition, next_team }) => ({ condition: condition as unknown as Json, next: next_team }));
  return { rules, fallback: routing.default, tasks: tasks.map(({ name }) => name), contracts };
}

interface TeamGraphs extends TeamGraph {
  /** With undecided ways. */
  readonly possible: TeamGraph;
  /** Without them. */
  readonly certain: TeamGraph;
}

function graphOf(proven: ReadonlyMap<string, ProvenRouting>, entry: string): TeamGraphs {
  const teams = [...proven].map(([team, { rules, fallback }]): [string, JsonObject] => [
    team,
    { routing: { rules: rules.map(({ next }) => ({ next_team: next })), ...(fallback !== undefined && { default: fallback }) } },
  ]);
  const graph = (isDead: (way: Way) => boolean): TeamGraph => {
    const dead = (team: string, rule: number | null) => proven.get(team)?.ways.some((way) => way.rule === rule && isDead(way)) === true;
    const all = createTeamGraph({ entry_team: entry, teams: Object.fromEntries(teams) }, dead);
    const edges = all.edges.filter(({ from, rule }) => rule !== undefined || !dead(from, null));
    return { ...all, edges, open: new Set([...all.open].filter((team) => !dead(team, null))) };
  };
  const possible = graph(({ search }) => search.outcome === 'none');
  return { ...possible, possible, certain: graph(({ search }) => search.outcome !== 'found') };
}

function leads(to: string | null): string {
  return to === null ? 'end the run' : `lead to ${quoted(to)}`;
}

function ledBy(to: string | null): string {
  return to === null ? 'ends the run' : `leads to ${quoted(to)}`;
}

function whereTo(to: Destination): string {
  return to === undefined ? 'to an end without a route' : to === null ? 'to the end of the run' : `to ${quoted(to)}`;
}

/** Teams with another name and the same tasks, where only one of each side can be meant: name before to name after. */
function renamedTeams(before: FrozenOrchestration, after: FrozenOrchestration): ReadonlyMap<string, string> {
  const keyOf = ({ tasks }: FrozenTeam) => (tasks.length === 0 ? undefined : JSON.stringify(tasks));
  return onlyPairs(Object.entries(before.teams), Object.entries(after.teams), keyOf);
}

/** Tasks with another name that are otherwise the same: name before to name after. */
function renamedTasks(before: FrozenTeam | undefined, after: FrozenTeam | undefined): ReadonlyMap<string, string> {
  const entries = (team: FrozenTeam | undefined) => (team?.tasks ?? []).map((task) => [task.name, task] as const);
  return onlyPairs(entries(before), entries(after), (task) => JSON.stringify({ ...task, name: '' }));
}

/** Names that only one side has, paired by what they stand for. */
function onlyPairs<Value>(
  before: readonly (readonly [string, Value])[],
  after: readonly (readonly [string, Value])[],
  keyOf: (value: Value) => string | undefined,
): ReadonlyMap<string, string> {
  const without = (some: typeof before, others: typeof before) => some.filter(([name]) => others.every(([other]) => other !== name));
  const [olds, news] = [without(before, after), without(after, before)];
  return new Map(
    olds.flatMap(([name, value]): [string, string][] => {
      const key = keyOf(value);
      const same = (some: typeof before) => some.filter(([, other]) => key !== undefined && keyOf(other) === key);
      const [match] = same(news);
      return match !== undefined && same(news).length === 1 && same(olds).length === 1 ? [[name, match[0]]] : [];
    }),
  );
}

/** A team's routing as if its tasks had the new names. */
function withTaskNames(routed: ProvenRouting, names: ReadonlyMap<string, string>): ProvenRouting {
  if (names.size === 0) return routed;
  const rename = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(rename);
    if (!isObject(value)) return value;
    const { task, any, not } = value;
    return {
      ...value,
      ...(typeof task === 'string' && { task: names.get(task) ?? task }),
      ...(any !== undefined && { any: rename(any) }),
      ...(not !== undefined && { not: rename(not) }),
    };
  };
  return {
    ...routed,
    rules: routed.rules.map(({ condition, next }) => ({ condition: rename(condition), next })),
    tasks: routed.tasks.map((task) => names.get(task) ?? task),
    contracts: new Map([...routed.contracts].map(([task, contract]) => [names.get(task) ?? task, contract])),
  };
}
