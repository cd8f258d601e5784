// Everything in the graph in words: whole sentences for readers who cannot see it.
import type { GraphEdge, GraphMark, GraphNode, GraphTask } from '../../../../core/routing/graph/graphModel.js';
import { taskDetail } from '../../../../core/routing/graph/graphWords.js';
import type { RunPath } from '../../../../core/routing/graph/runPath.js';
import { t } from '../../page/l10n.js';

/** An element of the graph that can be focused, pointed at and opened. */
export type Item =
  | { readonly kind: 'node'; readonly node: GraphNode }
  | { readonly kind: 'task'; readonly node: GraphNode; readonly task: GraphTask }
  | { readonly kind: 'edge'; readonly edge: GraphEdge };

/** What it is, in a few words. */
export function nameOf(item: Item): string {
  if (item.kind === 'task') return t('Task {0}', item.task.name);
  if (item.kind === 'edge') {
    const { kind, rule, words: condition } = item.edge;
    const [from, to] = [placeName(item.edge.from), placeName(item.edge.to)];
    if (kind === 'entry') return t('Entry: the run begins with {0}', to);
    const leadsToEnd = isEnd(item.edge.to);
    if (kind === 'default') return leadsToEnd ? t('Otherwise: from {0} to the end', from) : t('Otherwise: from {0} to {1}', from, to);
    const number = (rule ?? 0) + 1;
    if (leadsToEnd) return t('Rule {0}: from {1} to the end when {2}', number, from, condition);
    return t('Rule {0}: from {1} to {2} when {3}', number, from, to, condition);
  }
  const { node } = item;
  if (node.kind === 'start') return t('Entry');
  if (node.kind === 'end') return t('End of the run');
  return node.kind === 'missing' ? t('{0}: there is no such team', node.id) : t('Team {0}', node.id);
}

/** The kind of the element; undefined if its name tells. */
export function roleOf(item: Item): string | undefined {
  if (item.kind === 'task') return t('task');
  if (item.kind === 'edge') return t('route');
  return item.node.kind === 'team' ? t('team') : undefined;
}

/** What a screen reader hears after the visible words. */
export function unseenFacts(item: Item, visible: string, path: RunPath | undefined): readonly string[] {
  if (item.kind !== 'edge') return factsOf(item, path).filter((fact) => !visible.includes(fact));
  const { from, to, words: condition } = item.edge;
  // A label may have room for the beginning of its condition only.
  const fullCondition = visible.includes(condition) ? [] : [condition];
  const route = isEnd(to) ? t('from {0} to the end', placeName(from)) : t('from {0} to {1}', placeName(from), placeName(to));
  return [...fullCondition, route, ...factsOf(item, path)];
}

/** Further descriptions, one line each. */
export function factsOf(item: Item, path: RunPath | undefined): readonly string[] {
  const facts: string[] = [];
  if (item.kind === 'task') {
    const { task } = item;
    facts.push(taskDetail(task), task.depends_on.length > 0 ? t('after {0}', task.depends_on.join(', ')) : '');
  } else if (item.kind === 'edge') facts.push(item.edge.updates === '' ? '' : t('Changes the context: {0}', item.edge.updates));
  else if (item.node.kind === 'team') {
    const { id, name, isEntry, isUnreachable, cycle, tasks } = item.node;
    const others = cycle.filter((team) => team !== id);
    facts.push(
      name,
      isEntry ? t('the run begins here') : '',
      isUnreachable ? t('no route leads here') : '',
      others.length > 0 ? t('in a cycle with {0}', others.join(', ')) : cycle.length > 0 ? t('may follow itself') : '',
      tasks.length === 0 ? t('no tasks') : '',
    );
  }
  facts.push(stateOf(item, path), ...marksOf(item).map(markText));
  return facts.filter((fact) => fact !== '');
}

export function marksOf(item: Item): readonly GraphMark[] {
  return item.kind === 'task' ? item.task.marks : item.kind === 'edge' ? item.edge.marks : item.node.marks;
}

export function markText({ severity, message }: GraphMark): string {
  if (severity === 'error') return t('Error: {0}', message);
  return severity === 'warning' ? t('Warning: {0}', message) : t('Note: {0}', message);
}

/** `running`, `done, 2 times`; empty where the run has not been. */
function stateOf(item: Item, path: RunPath | undefined): string {
  if (path === undefined) return '';
  const states = { running: t('running'), done: t('done'), failed: t('failed') };
  const times = (count: number) => (count === 1 ? t('once') : t('{0} times', count));
  if (item.kind === 'edge') {
    const count = ownValue(path.ways, item.edge.key);
    return count === undefined ? '' : t('taken {0}', times(count));
  }
  if (item.node.kind !== 'team') return '';
  if (item.kind === 'task') {
    const state = ownValue(path.tasks, `${item.node.id}/${item.task.name}`);
    return state === undefined ? '' : states[state];
  }
  const team = ownValue(path.teams, item.node.id);
  return team === undefined ? '' : `${states[team.state]}, ${times(team.count)}`;
}

/** A key of a node names its team after the first blank. */
function placeName(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

function isEnd(key: string): boolean {
  return key.startsWith('end');
}

/** The entry of this name, which may be that of something every object has. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
