import type { GraphEdge, GraphModel, GraphNode, TeamNode } from '../../../../core/routing/graph/graphModel.js';
import type { RunPath } from '../../../../core/routing/graph/runPath.js';
import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import { factsOf, type Item, marksOf, nameOf } from './speech.js';

/** The graph as a list: every team with its tasks and routes, for screen readers and keyboard users. */
export interface Outline {
  readonly root: HTMLElement;
  show(model: GraphModel): void;
  light(pointer: string | null): void;
  run(path: RunPath | undefined): void;
}

export function createOutline(open: (pointer: string) => void): Outline {
  const root = element('ul', { class: 'teams' });
  let model: GraphModel | undefined;
  let path: RunPath | undefined;
  let lit: string | null = null;
  let rows = new Map<string, HTMLElement>();

  const row = (item: Item, pointer: string) => {
    const facts = factsOf(item, path);
    const severity = marksOf(item)[0]?.severity ?? '';
    const text = button({ class: `row ${severity}`, onclick: () => open(pointer) }, element('span', {}, nameOf(item)));
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
      list(t('Tasks'), tasks),
      list(t('Routes'), ways),
    );
  }

  function draw(): void {
    if (model === undefined) return;
    const focused = [...rows].find(([, row]) => row === document.activeElement)?.[0];
    rows = new Map();
    const { nodes, edges } = model;
    const entry = edges.find(({ kind }) => kind === 'entry');
    root.replaceChildren(
      ...(entry === undefined ? [] : [element('li', {}, row({ kind: 'edge', edge: entry }, entry.pointer))]),
      ...nodes.filter(isTeam).map((team) =>
        teamItem(
          team,
          edges.filter(({ from }) => from === team.key),
        ),
      ),
    );
    mark();
    if (focused !== undefined) rows.get(focused)?.focus();
  }

  function mark(): void {
    for (const [pointer, row] of rows) row.classList.toggle('is-lit', pointer === lit);
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

function isTeam(node: GraphNode): node is TeamNode {
  return node.kind === 'team';
}
