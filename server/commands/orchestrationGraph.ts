import type { Range } from 'vscode-languageserver';
import { tasksIn, teamsIn } from '../../core/config/orchestrationParts.js';
import { isObject, type Json, valueAt } from '../../core/json.js';
import { conditionWords } from '../../core/routing/conditionWords.js';
import { createTeamGraph, findCycles, findUnreachable } from '../../core/routing/teamGraph.js';
import type { FeatureContext } from '../feature.js';
import { viewOf } from '../names/fileView.js';
import { requestFailed } from '../requestFailed.js';
import { Argument, findTarget } from './target.js';

export interface GraphTask {
  readonly name: string | null;
  /** `A2@v1` of a task with a whole agent file. */
  readonly agent: string | null;
  readonly persona_key: string | null;
  readonly agent_type: string | null;
  readonly depends_on: readonly string[];
  readonly range: Range | null;
}

export interface GraphNode {
  readonly id: string;
  readonly name: string | null;
  readonly is_entry: boolean;
  /** Unreachable from the entry. */
  readonly is_unreachable: boolean;
  /** Has no `default`: a run in which no rule matches ends here with no-route. */
  readonly may_end_without_route: boolean;
  readonly tasks: readonly GraphTask[];
  /** Of its key. */
  readonly range: Range | null;
}

export interface GraphEdge {
  readonly from: string;
  /** Null ends the run; a name without a node is a fault of the file. */
  readonly to: string | null;
  readonly type: 'rule' | 'default';
  /** Index among the rules of `from`: they are tried in this order. */
  readonly rule: number | null;
  /** As written; null for `default`. */
  readonly condition: Json;
  /** The condition in words; empty for `default`. */
  readonly label: string;
  readonly context_updates: Json;
  readonly range: Range | null;
}

export interface GraphAnswer {
  readonly uri: string;
  readonly name: string;
  readonly entry_team: string | null;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Teams that lead to each other; `endless` when only the limits stop them. */
  readonly cycles: readonly { readonly teams: readonly string[]; readonly endless: boolean }[];
}

/** The teams of an orchestration and the routes between them, as far as the file can be understood. @throws ResponseError */
export async function orchestrationGraph(value: unknown, context: FeatureContext): Promise<GraphAnswer> {
  const argument = new Argument('agentStack.server.orchestrationGraph', value);
  const { project, path, id } = await findTarget(argument, 'orchestration', context);
  const document = project.documentAt(path);
  const view = document && viewOf(document, project);
  if (document === undefined || view === undefined) throw requestFailed(`${path} contains no readable orchestration.`);
  const graph = createTeamGraph(view.value);
  const unreachable = new Set(findUnreachable(graph));
  const teams = new Map(teamsIn(view.value).map((team) => [team.id, team]));
  const pointers = [...teams.values()].flatMap((team) => [team.pointer, ...tasksIn(team).map(({ pointer }) => pointer)]);
  const located = view.locate(new Set([...pointers, ...graph.edges.map(({ pointer }) => pointer)]));
  const rangeAt = (pointer: string | undefined): Range | null => {
    const place = pointer === undefined ? undefined : located.get(pointer);
    return place === undefined ? null : document.rangeOf(place.key ?? place.value);
  };
  const nodes = graph.teams.map((team): GraphNode => {
    const part = teams.get(team);
    return {
      id: team,
      name: stringOrNull(part?.value.name),
      is_entry: team === graph.entry,
      is_unreachable: unreachable.has(team),
      may_end_without_route: graph.open.has(team),
      tasks:
        part === undefined
          ? []
          : tasksIn(part).map(({ name, value: task, pointer }) => ({
              name: name ?? null,
              agent: stringOrNull(task.agent),
              persona_key: stringOrNull(task.persona_key),
              agent_type: stringOrNull(task.agent_type),
              depends_on: Array.isArray(task.depends_on) ? task.depends_on.filter((other: Json) => typeof other === 'string') : [],
              range: rangeAt(pointer),
            })),
      range: rangeAt(part?.pointer),
    };
  });
  const edges = graph.edges.map(({ from, to, rule, pointer }): GraphEdge => {
    const written = rule === undefined ? undefined : valueAt(view.value, pointer.slice(0, pointer.lastIndexOf('/')));
    const { condition = null, context_updates = null } = isObject(written) ? written : {};
    const label = rule === undefined ? '' : conditionWords(condition);
    return {
      from,
      to,
      type: rule === undefined ? 'default' : 'rule',
      rule: rule ?? null,
      condition,
      label,
      context_updates,
      range: rangeAt(pointer),
    };
  });
  const cycles = findCycles(graph).map(({ teams: members, endless }) => ({ teams: members, endless }));
  return { uri: document.uri, name: id, entry_team: graph.entry ?? null, nodes, edges, cycles };
}

function stringOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
