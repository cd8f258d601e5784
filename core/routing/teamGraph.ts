import { routingOf } from '../config/orchestrationParts.js';
import { groupBy } from '../groupBy.js';
import { isObject, type Json, listOf, pointerOf } from '../json.js';

/** An edge from one team to the next. `to` is as written: it may name a team that does not exist, and null ends the run. */
export interface RouteEdge {
  readonly from: string;
  readonly to: string | null;
  /** Place of the `next_team` or `default`, in the orchestration. */
  readonly pointer: string;
  /** Index of the rule; undefined for `default`. */
  readonly rule: number | undefined;
}

/** Teams that lead to each other. `endless`: no edge leads from them to an end of the run, so only the limits stop it. */
export interface RouteCycle {
  readonly teams: readonly string[];
  /** The edges among them. */
  readonly edges: readonly RouteEdge[];
  readonly endless: boolean;
}

export interface TeamGraph {
  readonly entry: string | undefined;
  readonly teams: readonly string[];
  readonly edges: readonly RouteEdge[];
  /** Teams without `default`, where a run may end with `no-route`. */
  readonly open: ReadonlySet<string>;
}

/** Which team may follow which, from an orchestration as written. `isDead` excludes rules that never match. */
export function createTeamGraph(orchestration: Json, isDead: (team: string, rule: number) => boolean = () => false): TeamGraph {
  const { entry_team, teams } = isObject(orchestration) ? orchestration : {};
  const edges: RouteEdge[] = [];
  const open = new Set<string>();
  const entries = isObject(teams) ? Object.entries(teams) : [];
  for (const [from, team] of entries) {
    const routing = isObject(team) ? routingOf(team) : {};
    const add = (to: Json | undefined, rule: number | undefined, ...path: readonly (string | number)[]) => {
      if (to === null || typeof to === 'string') edges.push({ from, to, rule, pointer: pointerOf('teams', from, 'routing', ...path) });
    };
    for (const [index, rule] of listOf(routing.rules).entries()) {
      if (isObject(rule) && !isDead(from, index)) add(rule.next_team, index, 'rules', index, 'next_team');
    }
    add(routing.default, undefined, 'default');
    if (routing.default === undefined) open.add(from);
  }
  return { entry: typeof entry_team === 'string' ? entry_team : undefined, teams: entries.map(([name]) => name), edges, open };
}

/** Teams that cannot be reached from the entry, in file order. None where the entry itself names no team. */
export function findUnreachable({ entry, teams, edges }: TeamGraph): readonly string[] {
  if (entry === undefined || !teams.includes(entry)) return [];
  const reached = reachedFrom([entry], edgesBy(edges, 'from'), 'to');
  return teams.filter((team) => !reached.has(team));
}

/** Every group of teams that lead to each other, in file order of their first team. */
export function findCycles({ teams, edges, open }: TeamGraph): readonly RouteCycle[] {
  const group = findGroups(teams, edges);
  const inside = edges.filter(({ from, to }) => to !== null && group.has(to) && group.get(from) === group.get(to));
  const teamNames = new Set(teams);
  // An edge to a team that does not exist fails the run, which ends it too.
  const ends = [...open, ...edges.filter(({ to }) => to === null || !teamNames.has(to)).map(({ from }) => from)];
  const ending = reachedFrom(ends, edgesBy(edges, 'to'), 'from');
  const looping = new Set(inside.map(({ from }) => group.get(from) as number));
  const cycles = new Map<number, { teams: string[]; edges: RouteEdge[] }>();
  for (const team of teams) {
    const number = group.get(team) as number;
    if (!looping.has(number)) continue;
    const cycle = cycles.get(number) ?? { teams: [], edges: [] };
    cycle.teams.push(team);
    cycles.set(number, cycle);
  }
  for (const edge of inside) cycles.get(group.get(edge.from) as number)?.edges.push(edge);
  return [...cycles.values()].map((cycle) => ({ ...cycle, endless: !cycle.teams.some((team) => ending.has(team)) }));
}

/**
 * Teams that lead to each other, as groups; a team on no cycle is a group by itself. Each group comes after all that it leads to. `loops`: a
 * run may re-enter it.
 */
export function groupTeams({
  teams,
  edges,
}: Pick<TeamGraph, 'teams' | 'edges'>): readonly { readonly teams: readonly string[]; readonly loops: boolean }[] {
  const number = findGroups(teams, edges);
  const selves = new Set(edges.flatMap(({ from, to }) => (from === to ? [from] : [])));
  // A group is numbered when all that it leads to have been.
  return [...groupBy(number, ([, group]) => group).values()].map((members) => {
    const groupTeams = members.map(([team]) => team);
    return { teams: groupTeams, loops: groupTeams.length > 1 || groupTeams.some((team) => selves.has(team)) };
  });
}

function edgesBy(edges: readonly RouteEdge[], side: 'from' | 'to'): ReadonlyMap<string, readonly RouteEdge[]> {
  return groupBy(
    edges.filter((edge) => edge[side] !== null),
    (edge) => edge[side] ?? '',
  );
}

function reachedFrom(starts: readonly string[], by: ReadonlyMap<string, readonly RouteEdge[]>, side: 'from' | 'to'): ReadonlySet<string> {
  const reached = new Set(starts);
  // A set grows while it is iterated.
  for (const team of reached) for (const edge of by.get(team) ?? []) if (edge[side] !== null) reached.add(edge[side]);
  return reached;
}

/** Strongly connected groups (Tarjan), by team, without recursion: an orchestration may have thousands of teams in a row. */
function findGroups(teams: readonly string[], edges: readonly RouteEdge[]): ReadonlyMap<string, number> {
  const next = edgesBy(edges, 'from');
  const teamNames = new Set(teams);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const group = new Map<string, number>();
  const stack: string[] = [];
  const lower = (team: string, to: number) => lowest.set(team, Math.min(lowest.get(team) as number, to));
  for (const start of teams) {
    const path: { team: string; edge: number }[] = [];
    const enter = (team: string) => {
      lowest.set(team, order.size);
      order.set(team, order.size);
      stack.push(team);
      path.push({ team, edge: 0 });
    };
    if (!order.has(start)) enter(start);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { team } = step;
      const to = next.get(team)?.[step.edge++]?.to;
      if (to !== undefined) {
        if (to === null || !teamNames.has(to)) continue;
        if (!order.has(to)) enter(to);
        else if (!group.has(to)) lower(team, order.get(to) as number);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) lower(above.team, lowest.get(team) as number);
      if (lowest.get(team) !== order.get(team)) continue;
      const number = order.get(team) as number;
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        group.set(member, number);
        if (member === team) break;
      }
    }
  }
  return group;
}
