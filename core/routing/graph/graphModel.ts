import { type TaskPart, tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import type { Severity } from '../../finding.js';
import { groupBy } from '../../groupBy.js';
import { isObject, type Json, valueAt } from '../../json.js';
import { inEnglish, type Translate } from '../../words.js';
import { conditionWords } from '../conditionWords.js';
import { createTeamGraph, findCycles, findUnreachable } from '../teamGraph.js';

/** A finding at a place of the orchestration. */
export interface GraphMark {
  readonly severity: Severity;
  readonly message: string;
  /** RFC 6901; the whole file is the empty string. */
  readonly pointer: string;
}

export interface GraphTask {
  /** Empty if not written yet. */
  readonly name: string;
  /** What performs it: `Judge@v1`, a persona key; empty where nothing is named. */
  readonly runs: string;
  /** `single_shot`, `react`, `orchestrating`; empty where the agent's own file decides. */
  readonly type: string;
  readonly depends_on: readonly string[];
  readonly pointer: string;
  readonly marks: readonly GraphMark[];
}

interface AnyNode {
  /** Unique in the graph. */
  readonly key: string;
  /** Its place in the file. */
  readonly pointer: string;
  readonly marks: readonly GraphMark[];
}

export interface TeamNode extends AnyNode {
  readonly kind: 'team';
  readonly id: string;
  /** Its display name; empty where that is the id. */
  readonly name: string;
  readonly isEntry: boolean;
  /** Not reachable from the entry. */
  readonly isUnreachable: boolean;
  /** Teams it leads to that lead back, including itself; empty outside of cycles. */
  readonly cycle: readonly string[];
  readonly tasks: readonly GraphTask[];
}

/** The start and ends of the run, and teams that a route names but that do not exist. */
export interface PlaceNode extends AnyNode {
  readonly kind: 'start' | 'end' | 'missing';
  /** The name as written for a missing team, else empty. */
  readonly id: string;
}

export type GraphNode = TeamNode | PlaceNode;

/** An edge from one node to another. */
export interface GraphEdge {
  /** Unique in the graph: its pointer. */
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly kind: 'entry' | 'rule' | 'default';
  /** Index of a rule: rules are tried in this order. */
  readonly rule: number | null;
  /** The condition in words; empty for `entry` and `default`. */
  readonly words: string;
  /** What the route changes in the context, as compact JSON; empty for nothing. */
  readonly updates: string;
  /** Both ends lead to each other. */
  readonly isInCycle: boolean;
  /** Of the rule, of `default` or of `entry_team`. */
  readonly pointer: string;
  readonly marks: readonly GraphMark[];
}

/** An orchestration as a graph. The same file gives the same graph, in file order. */
export interface GraphModel {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Findings of the whole file, or of a part without a node or edge. */
  readonly marks: readonly GraphMark[];
}

/** With more teams that may end a run, each gets its own end: edges to a single one would cross the whole picture. */
const mostToOneEnd = 8;

const startKey = 'start';
const endKey = 'end';
const teamKey = (id: string): string => `team ${id}`;

/** The graph of an orchestration as written; any JSON is accepted. Each finding is at the innermost node, task or edge around its pointer. */
export function createGraphModel(orchestration: Json, findings: readonly GraphMark[] = [], t: Translate = inEnglish): GraphModel {
  const graph = createTeamGraph(orchestration);
  const teams = teamsIn(orchestration);
  const teamIds = new Set(teams.map(({ id }) => id));
  const unreachable = new Set(findUnreachable(graph));
  const cycles = findCycles(graph);
  const cycleOf = new Map(cycles.flatMap(({ teams: members }) => members.map((team) => [team, members] as const)));
  const looping = new Set(cycles.flatMap(({ edges }) => edges.map(({ pointer }) => pointer)));

  const places = teams.flatMap((team) => [team.pointer, ...tasksIn(team).map(({ pointer }) => pointer)]);
  const ways = graph.edges.filter(({ from }) => teamIds.has(from)).map((edge) => ({ ...edge, place: placeOf(edge) }));
  const marksAt = markFinder(findings, new Set([...places, ...ways.map(({ place }) => place), '/entry_team']));

  const ending = new Set(ways.filter(({ to }) => to === null).map(({ from }) => from));
  const endOf = (from: string) => (ending.size > mostToOneEnd ? `${endKey} of ${from}` : endKey);
  const keyOf = (from: string, to: string | null) => (to === null ? endOf(from) : teamIds.has(to) ? teamKey(to) : `missing ${to}`);
  const edges = ways.map(({ from, to, rule, pointer, place }): GraphEdge => {
    const written = rule === undefined ? undefined : valueAt(orchestration, place);
    const { condition = null, context_updates: updates } = isObject(written) ? written : {};
    return {
      key: place,
      from: teamKey(from),
      to: keyOf(from, to),
      kind: rule === undefined ? 'default' : 'rule',
      rule: rule ?? null,
      words: rule === undefined ? '' : conditionWords(condition, t),
      updates: isObject(updates) ? JSON.stringify(updates) : '',
      isInCycle: looping.has(pointer),
      pointer: place,
      marks: marksAt(place),
    };
  });
  const entry = graph.entry;
  if (entry !== undefined) {
    const pointer = '/entry_team';
    const shared = { kind: 'entry', rule: null, words: '', updates: '', isInCycle: false } as const;
    edges.unshift({ key: pointer, from: startKey, to: keyOf('', entry), ...shared, pointer, marks: marksAt(pointer) });
  }

  const teamNodes = teams.map((team): TeamNode => {
    const name = stringOrEmpty(team.value.name);
    return {
      kind: 'team',
      key: teamKey(team.id),
      id: team.id,
      name: name === team.id ? '' : name,
      isEntry: team.id === entry,
      isUnreachable: unreachable.has(team.id),
      cycle: cycleOf.get(team.id) ?? [],
      tasks: tasksIn(team).map((task) => toTask(task, marksAt(task.pointer))),
      pointer: team.pointer,
      marks: marksAt(team.pointer),
    };
  });
  const place = (kind: PlaceNode['kind'], key: string, pointer: string, id = ''): PlaceNode => ({
    ...{ kind, key, id, pointer },
    marks: kind === 'start' ? marksAt(pointer) : [],
  });
  /** Places that exist because a route leads to them, each with the first such route. */
  const reached = new Map<string, string>();
  for (const { to, pointer } of edges) if (!to.startsWith('team ') && !reached.has(to)) reached.set(to, pointer);
  const missing = [...reached].filter(([key]) => key.startsWith('missing '));
  const ends = [...reached].filter(([key]) => !key.startsWith('missing '));
  return {
    nodes: [
      ...(entry === undefined ? [] : [place('start', startKey, '/entry_team')]),
      ...teamNodes,
      ...missing.map(([key, pointer]) => place('missing', key, pointer, key.slice('missing '.length))),
      ...ends.map(([key, pointer]) => place('end', key, pointer)),
    ],
    edges,
    marks: marksAt(''),
  };
}

/** A finding is about a rule as a whole, but about `default` by itself. */
function placeOf({ pointer, rule }: { readonly pointer: string; readonly rule: number | undefined }): string {
  return rule === undefined ? pointer : pointer.slice(0, pointer.lastIndexOf('/'));
}

function toTask({ name, value, pointer }: TaskPart, marks: readonly GraphMark[]): GraphTask {
  const { agent, persona_key, agent_type, depends_on } = value;
  return {
    name: name ?? '',
    runs: stringOrEmpty(agent) || stringOrEmpty(persona_key),
    type: stringOrEmpty(agent_type),
    depends_on: Array.isArray(depends_on) ? depends_on.filter((dependency: Json) => typeof dependency === 'string') : [],
    pointer,
    marks,
  };
}

/** Groups findings by the innermost place around them; the others belong to the file. */
function markFinder(findings: readonly GraphMark[], places: ReadonlySet<string>): (place: string) => readonly GraphMark[] {
  const marksByPlace = groupBy(findings, ({ pointer }) => {
    let place = pointer;
    while (place !== '' && !places.has(place)) place = place.slice(0, place.lastIndexOf('/'));
    return place;
  });
  return (place) => marksByPlace.get(place) ?? [];
}

function stringOrEmpty(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
