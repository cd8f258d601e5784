import { groupTeams, type RouteEdge, type TeamGraph } from './teamGraph.js';

export interface RunLimits {
  /** Most team executions of a run. */
  readonly max_total_teams: number;
  /** How often a team may be executed in one run: its own `max_recursion_depth`, or that of the orchestration. */
  readonly depthOf: (team: string) => number;
}

/** What is known about every run of an orchestration in advance. */
export interface RunBound {
  /** By team: how often a run executes it at most. Unreachable teams are not in it. */
  readonly executions: ReadonlyMap<string, number>;
  /** Most team executions of a run. */
  readonly total: number;
  /** The most the teams of one run weigh together. Weights are 0 or more; if a reachable team has the weight Infinity, so has the sum. */
  readonly heaviest: (weight: (team: string) => number) => number;
}

/**
 * An upper bound of any run of an orchestration: never below the true maximum, which is a longest path and so too expensive
 * to compute. It is the smaller of two bounds:
 *
 * - the heaviest walk of `max_total_teams` teams along the routes, which respects the order of teams but ignores `max_recursion_depth`;
 * - the heaviest choice of executions, limited for each team, from groups of teams on one path, which respects the limits but
 *   of the routes only the order of groups.
 *
 * Takes time of routes times `max_total_teams`; where that is too much, each team counts as often as its limit allows.
 */
export function boundRuns(graph: Pick<TeamGraph, 'entry' | 'teams' | 'edges'>, limits: RunLimits): RunBound {
  const map = mapOf(graph, limits);
  const sum = [...map.caps].reduce((all, cap) => all + cap, 0);
  const length = Math.min(limits.max_total_teams, sum);
  const routes = map.next.reduce((all, { length: count }) => all + count, map.names.length);
  const isSmall = routes * length <= mostWork;

  function heaviest(weight: (team: string) => number): number {
    const weights = Float64Array.from(map.names, weight);
    if (!weights.every(Number.isFinite)) return Number.POSITIVE_INFINITY;
    const anyOrder = heaviestChoice(map.caps, weights, length);
    return isSmall ? Math.min(anyOrder, heaviestWalk(map, weights, length), heaviestChain(map, weights, length)) : anyOrder;
  }

  return {
    executions: new Map(map.names.map((name, index) => [name, map.caps[index] as number])),
    total: heaviest(() => 1),
    heaviest,
  };
}

/** Loop steps that take about 30 ms. */
const mostWork = 4_000_000;

/** The reachable teams, as numbers. */
interface RunMap {
  /** The entry first. */
  readonly names: readonly string[];
  readonly next: readonly (readonly number[])[];
  readonly caps: readonly number[];
  /** Each group after all groups that it leads to. */
  readonly groups: readonly (readonly number[])[];
}

function mapOf({ entry, teams, edges }: Pick<TeamGraph, 'entry' | 'teams' | 'edges'>, limits: RunLimits): RunMap {
  const teamNames = new Set(teams);
  const ways = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (to === null || !teamNames.has(to)) continue;
    const list = ways.get(from) ?? new Set();
    ways.set(from, list.add(to));
  }
  const distances =
    entry === undefined || !teamNames.has(entry) ? new Map<string, number>() : distancesFrom(entry, ways, limits.max_total_teams);
  const names = [...distances.keys()];
  const numbers = new Map(names.map((name, index) => [name, index]));
  const next = names.map((name) => [...(ways.get(name) ?? [])].flatMap((to) => numbers.get(to) ?? []));
  const reached: RouteEdge[] = edges.filter(({ from, to }) => to !== null && numbers.has(from) && numbers.has(to));
  const groups = groupTeams({ teams: names, edges: reached }).map(({ teams: members, loops }) => ({
    members: members.map((team) => numbers.get(team) as number),
    loops,
  }));
  const caps = new Array<number>(names.length).fill(1);
  for (const { members, loops } of groups) {
    if (!loops) continue;
    const ways = members.reduce((all, team) => all + (next[team] as readonly number[]).length, 0);
    const wayBack = members.length * ways <= mostWork ? findWaysBack(next, members) : () => 1;
    for (const team of members) {
      const name = names[team] as string;
      const remaining = limits.max_total_teams - 1 - (distances.get(name) as number);
      caps[team] = Math.min(limits.depthOf(name), 1 + Math.floor(remaining / wayBack(team)));
    }
  }
  return { names, next, caps, groups: groups.map(({ members }) => members) };
}

/** How many teams precede each team that can be among the first `most`, in order of that number. */
function distancesFrom(entry: string, ways: ReadonlyMap<string, ReadonlySet<string>>, most: number): ReadonlyMap<string, number> {
  const distances = new Map([[entry, 0]]);
  // A map grows while it is iterated.
  for (const [team, distance] of distances) {
    if (distance + 1 >= most) break;
    for (const to of ways.get(team) ?? []) if (!distances.has(to)) distances.set(to, distance + 1);
  }
  return distances;
}

/** The fewest teams from one execution of a team to its next, within a group of teams that lead to each other. */
function findWaysBack(next: readonly (readonly number[])[], members: readonly number[]): (team: number) => number {
  const inside = new Uint8Array(next.length);
  for (const team of members) inside[team] = 1;
  /** Which team's search visited last, so that nothing has to be cleared between searches. */
  const seen = new Int32Array(next.length).fill(-1);
  return (team) => {
    let front: number[] = [team];
    for (let steps = 1; front.length > 0; steps += 1) {
      const further: number[] = [];
      for (const from of front) {
        for (const to of next[from] as readonly number[]) {
          if (to === team) return steps;
          if (inside[to] === 0 || seen[to] === team) continue;
          seen[to] = team;
          further.push(to);
        }
      }
      front = further;
    }
    return 1;
  };
}

/** The heaviest teams, each as often as allowed, `length` in all. */
function heaviestChoice(caps: readonly number[], weights: Float64Array, length: number): number {
  const order = caps.map((_, index) => index).sort((left, right) => (weights[right] as number) - (weights[left] as number));
  let [sum, left] = [0, length];
  for (const index of order) {
    const times = Math.min(left, caps[index] as number);
    sum += times * (weights[index] as number);
    left -= times;
  }
  return sum;
}

/** The heaviest walk from the entry along the routes, of at most `length` teams. */
function heaviestWalk({ names, next }: RunMap, weights: Float64Array, length: number): number {
  let from = new Float64Array(names.length);
  for (let step = 0; step < length; step += 1) {
    const longer = new Float64Array(names.length);
    let isSame = true;
    for (let team = 0; team < names.length; team += 1) {
      let most = 0;
      for (const to of next[team] as readonly number[]) most = Math.max(most, from[to] as number);
      longer[team] = (weights[team] as number) + most;
      if (longer[team] !== from[team]) isSame = false;
    }
    from = longer;
    if (isSame) break;
  }
  return names.length === 0 ? 0 : (from[0] as number);
}

/** The heaviest choice of at most `length` executions from groups on one path. */
function heaviestChain({ next, caps, groups }: RunMap, weights: Float64Array, length: number): number {
  const groupOf = new Map<number, number>();
  for (const [index, members] of groups.entries()) for (const team of members) groupOf.set(team, index);
  /** For each group: the weight of a run from there on, by the number of executions that remain. */
  const sums: Float64Array[] = [];
  for (const [index, members] of groups.entries()) {
    let sum: Float64Array = new Float64Array(length + 1);
    const after = new Set(members.flatMap((team) => (next[team] as readonly number[]).map((to) => groupOf.get(to) as number)));
    after.delete(index);
    for (const group of after) {
      const other = sums[group] as Float64Array;
      for (let left = 0; left <= length; left += 1) sum[left] = Math.max(sum[left] as number, other[left] as number);
    }
    for (const team of members) sum = withTeam(sum, weights[team] as number, caps[team] as number);
    sums.push(sum);
  }
  const entry = groupOf.get(0);
  return entry === undefined ? 0 : ((sums[entry] as Float64Array)[length] as number);
}

/** For every number of executions: the best of 0 to `cap` executions of one team plus the rest. One pass, by the maximum of a sliding window. */
function withTeam(sum: Float64Array, weight: number, cap: number): Float64Array {
  const better = new Float64Array(sum.length);
  const gain = (rest: number) => (sum[rest] as number) - rest * weight;
  /** Rests that may still be the best, best first. */
  const window = new Int32Array(sum.length);
  let [first, end] = [0, 0];
  for (let left = 0; left < sum.length; left += 1) {
    while (end > first && gain(window[end - 1] as number) <= gain(left)) end -= 1;
    window[end] = left;
    end += 1;
    if ((window[first] as number) < left - cap) first += 1;
    const rest = window[first] as number;
    better[left] = (sum[rest] as number) + (left - rest) * weight;
  }
  return better;
}
