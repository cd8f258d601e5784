import type { GraphEdge, GraphMark, GraphNode, GraphTask } from '../../../core/routing/graph/graphModel.js';
import { taskDetail } from '../../../core/routing/graph/graphWords.js';
import type { RunPath } from '../../../core/routing/graph/runPath.js';
import type { createWords } from '../../panels/page/page.js';

export type Words = ReturnType<typeof createWords>;

/** One thing in the graph that can be looked at, pointed at and opened. */
export type Item =
  | { readonly kind: 'node'; readonly node: GraphNode }
  | { readonly kind: 'task'; readonly node: GraphNode; readonly task: GraphTask }
  | { readonly kind: 'edge'; readonly edge: GraphEdge };

/** Everything in the graph in words, whole sentences for who cannot see it. */
export interface Speech {
  /** What it is, in a few words. */
  name(item: Item): string;
  /** The kind of thing it is: `team`, `task`, `route`; undefined where it is called so already. */
  role(item: Item): string | undefined;
  /** What a screen reader is told after the words that are to be seen. */
  rest(item: Item, seen: string, path: RunPath | undefined): readonly string[];
  /** What else is to be said of it: a line each. */
  facts(item: Item, path: RunPath | undefined): readonly string[];
  marks(item: Item): readonly GraphMark[];
  mark(mark: GraphMark): string;
  /** `running`, `done, 2 times`; empty where the run has not been. */
  state(item: Item, path: RunPath | undefined): string;
}

export function createSpeech(words: Words): Speech {
  const severity: Readonly<Record<GraphMark['severity'], string>> = { error: 'error', warning: 'warning', info: 'info', hint: 'info' };
  const times = (count: number) => (count === 1 ? words('once') : words('times', count));
  /** A key of a node names its team after the first blank. */
  const placeName = (key: string) => key.slice(key.indexOf(' ') + 1);
  const isEnd = (key: string) => key.startsWith('end');

  const speech: Speech = {
    name(item) {
      if (item.kind === 'task') return words('task', item.task.name);
      if (item.kind === 'edge') {
        const { kind, from, to, rule, words: condition } = item.edge;
        if (kind === 'entry') return words('startOf', placeName(to));
        if (kind === 'default')
          return isEnd(to) ? words('defaultToEnd', placeName(from)) : words('defaultRoute', placeName(from), placeName(to));
        const number = (rule ?? 0) + 1;
        if (isEnd(to)) return words('ruleToEnd', number, placeName(from), condition);
        return words('rule', number, placeName(from), placeName(to), condition);
      }
      const { node } = item;
      if (node.kind === 'start') return words('start');
      if (node.kind === 'end') return words('endOfRun');
      return node.kind === 'missing' ? words('missing', node.id) : words('team', node.id);
    },
    role(item) {
      if (item.kind === 'task') return words('roleTask');
      if (item.kind === 'edge') return words('roleRoute');
      return item.node.kind === 'team' ? words('roleTeam') : undefined;
    },
    rest(item, seen, path) {
      if (item.kind !== 'edge') return speech.facts(item, path).filter((fact) => !seen.includes(fact));
      const { from, to, words: condition } = item.edge;
      // A label may have room for the beginning of its condition only.
      const whole = seen.includes(condition) ? [] : [condition];
      const route = isEnd(to) ? words('fromToEnd', placeName(from)) : words('fromTo', placeName(from), placeName(to));
      return [...whole, route, ...speech.facts(item, path)];
    },
    facts(item, path) {
      const facts: string[] = [];
      if (item.kind === 'task') {
        const { task } = item;
        facts.push(taskDetail(task), task.depends_on.length > 0 ? words('after', task.depends_on.join(', ')) : '');
      } else if (item.kind === 'edge') facts.push(item.edge.updates === '' ? '' : words('sets', item.edge.updates));
      else if (item.node.kind === 'team') {
        const { id, name, isEntry, isUnreachable, cycle, tasks } = item.node;
        const others = cycle.filter((team) => team !== id);
        facts.push(
          name,
          isEntry ? words('entry') : '',
          isUnreachable ? words('unreachable') : '',
          others.length > 0 ? words('cycle', others.join(', ')) : cycle.length > 0 ? words('selfCycle') : '',
          tasks.length === 0 ? words('noTasks') : '',
        );
      }
      facts.push(speech.state(item, path), ...speech.marks(item).map(speech.mark));
      return facts.filter((fact) => fact !== '');
    },
    marks: (item) => (item.kind === 'task' ? item.task.marks : item.kind === 'edge' ? item.edge.marks : item.node.marks),
    mark: (mark) => words(severity[mark.severity], mark.message),
    state(item, path) {
      if (path === undefined) return '';
      if (item.kind === 'edge') {
        const count = own(path.ways, item.edge.key);
        return count === undefined ? '' : words('taken', times(count));
      }
      if (item.node.kind !== 'team') return '';
      if (item.kind === 'task') {
        const state = own(path.tasks, `${item.node.id}/${item.task.name}`);
        return state === undefined ? '' : words(`state_${state}`);
      }
      const team = own(path.teams, item.node.id);
      return team === undefined ? '' : `${words(`state_${team.state}`)}, ${times(team.count)}`;
    },
  };
  return speech;
}

/** The entry of this name, which may be that of something every object has. */
export function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
