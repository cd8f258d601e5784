import type { GraphEdge, GraphModel, TeamNode } from '../../../core/routing/graph/graphModel.js';
import type { RunPath } from '../../../core/routing/graph/runPath.js';
import { element } from '../../panels/page/page.js';
import type { Item, Speech, Words } from './speech.js';

/** The graph as a list: every team with its tasks and routes, for screen readers and keyboard users. */
export interface Outline {
  readonly root: HTMLElement;
  show(model: GraphModel): void;
  light(pointer: string | null): void;
  run(path: RunPath | undefined): void;
}

export function createOutline(words: Words, speech: Speech, open: (pointer: string) => void): Outline {
  const root = element('ul', { class: 'teams' });
  let model: GraphModel | undefined;
  let path: RunPath | undefined;
  let lit: string | null = null;
  let rows = new Map<string, HTMLElement>();

  const row = (item: Item, pointer: string) => {
    const facts = speech.facts(item, path);
    const marked = speech.marks(item)[0]?.severity ?? '';
    const text = element(
      'button',
      { type: 'button', class: `row ${marked}`, onclick: () => open(pointer) },
      element('span', {}, speech.name(item)),
    );
    if (facts.length > 0) text.append(' ', element('span', { class: 'muted' }, facts.join(' · ')));
    rows.set(pointer, text);
    return text;
  };

  function teamItem(team: TeamNode, routes: readonly GraphEdge[]): HTMLElement {
    const tasks = team.tasks.map((task) => element('li', {}, row({ kind: 'task', node: team, task }, task.pointer)));
    const ways = routes.map((edge) => element('li', {}, row({ kind: 'edge', edge }, edge.pointer)));
    const list = (label: string, items: readonly HTMLElement[]) =>
      items.length === 0 ? '' : element('ul', { 'aria-label': label }, ...items);
    return element(
      'li',
      { class: team.isUnreachable ? 'unreachable' : '' },
      row({ kind: 'node', node: team }, team.pointer),
      list(words('tasks'), tasks),
      list(words('routes'), ways),
    );
  }

  function draw(): void {
    if (model === undefined) return;
    const focused = [...rows].find(([, shown]) => shown === document.activeElement)?.[0];
    rows = new Map();
    const { nodes, edges } = model;
    const entry = edges.find(({ kind }) => kind === 'entry');
    root.replaceChildren(
      ...(entry === undefined ? [] : [element('li', {}, row({ kind: 'edge', edge: entry }, entry.pointer))]),
      ...nodes.flatMap((node) =>
        node.kind === 'team'
          ? [
              teamItem(
                node,
                edges.filter(({ from }) => from === node.key),
              ),
            ]
          : [],
      ),
    );
    mark();
    if (focused !== undefined) rows.get(focused)?.focus();
  }

  function mark(): void {
    for (const [pointer, shown] of rows) shown.classList.toggle('is-lit', pointer === lit);
  }

  return {
    root,
    show(now) {
      model = now;
      draw();
    },
    light(pointer) {
      lit = pointer;
      mark();
    },
    run(now) {
      path = now;
      draw();
    },
  };
}
