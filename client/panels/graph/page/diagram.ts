import { edgePath } from '../../../../core/routing/graph/edgePath.js';
import type { EdgeLayout, GraphLayout, NodeLayout } from '../../../../core/routing/graph/graphLayout.js';
import type { GraphMark, TeamNode } from '../../../../core/routing/graph/graphModel.js';
import { taskDetail } from '../../../../core/routing/graph/graphWords.js';
import type { RunPath } from '../../../../core/routing/graph/runPath.js';
import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import type { Zoom } from './header.js';
import { type Item, ownValue, roleOf, unseenFacts } from './speech.js';
import { createSteps, type Steps } from './steps.js';
import { createViewport, type View } from './viewport.js';

interface DiagramActions {
  open(pointer: string): void;
  /** The element under the pointer or with the focus. */
  look(item: Item | undefined): void;
  viewed(view: View): void;
}

/** The picture: boxes and lines that can be pointed at, walked through by keyboard, moved and zoomed. */
export interface Diagram {
  readonly root: HTMLElement;
  show(name: string, layout: GraphLayout): void;
  light(pointer: string | null): void;
  run(path: RunPath | undefined): void;
  zoom(to: Zoom): void;
  /** The visible part; undefined: all of it, or as much as is readable. */
  place(view: View | undefined): void;
}

/** A thing that can have the focus. */
interface Target {
  readonly item: Item;
  readonly pointer: string;
  readonly button: HTMLElement;
  /** Its box or line, which show what happens to it. */
  readonly body: Element;
}

export function createDiagram({ open, look, viewed }: DiagramActions): Diagram {
  const ways = svgElement('svg', { class: 'ways', 'aria-hidden': 'true' });
  const canvas = element('div', { class: 'canvas', role: 'group' }, ways);
  const viewport = createViewport(canvas, viewed);
  const hint = element(
    'p',
    { id: 'keys', class: 'visually-hidden' },
    t('Arrow keys follow the routes, Enter shows the JSON, plus and minus zoom.'),
  );
  canvas.setAttribute('aria-describedby', 'keys');
  const root = element('div', { class: 'diagram' }, viewport.root, hint);

  let targets = new Map<string, Target>();
  let steps: Steps | undefined;
  let current = '';
  let lit: string | null = null;
  let path: RunPath | undefined;

  const keyOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined;
  canvas.addEventListener('click', ({ target }) => {
    const clicked = targets.get(keyOf(target) ?? '');
    if (clicked !== undefined) open(clicked.pointer);
  });
  canvas.addEventListener('focusin', ({ target }) => settle(keyOf(target)));
  canvas.addEventListener('mouseover', ({ target }) => point(keyOf(target)));
  canvas.addEventListener('mouseleave', () => point(undefined));
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = steps?.next(current, event.key);
    const zoom = zoomKeys[event.key];
    if (next !== undefined) targets.get(next)?.button.focus();
    else if (zoom !== undefined) viewport.zoom(zoom);
    else return;
    event.preventDefault();
  });

  /** One of them is reached with Tab, the others from there with arrows. */
  function settle(key: string | undefined): void {
    const focused = targets.get(key ?? '');
    if (key === undefined || focused === undefined) return;
    targets.get(current)?.button.setAttribute('tabindex', '-1');
    current = key;
    focused.button.setAttribute('tabindex', '0');
    viewport.reveal(focused.button);
    point(undefined);
  }

  function point(key: string | undefined): void {
    const active = keyOf(document.activeElement);
    const targetKey = key ?? active;
    for (const [target, { body }] of targets) body.classList.toggle('is-near', target === targetKey);
    look(targets.get(targetKey ?? '')?.item);
  }

  function add(key: string, item: Item, pointer: string, button: HTMLElement, body: Element = button): HTMLElement {
    button.dataset.key = key;
    const role = roleOf(item);
    if (role !== undefined) button.setAttribute('aria-roledescription', role);
    button.setAttribute('tabindex', '-1');
    targets.set(key, { item, pointer, button, body });
    return button;
  }

  function teamBox(layout: NodeLayout, node: TeamNode): HTMLElement {
    const kinds = ['node', 'team', node.isEntry ? 'entry' : '', node.isUnreachable ? 'unreachable' : ''].filter(Boolean).join(' ');
    const box = placed(element('div', { class: kinds }), layout);
    const id = element('span', { class: 'id' }, node.id);
    const name = element('span', { class: 'muted' }, node.name);
    const head = button({ class: 'head' }, id, ' ', name, count(), markOf(node.marks));
    box.append(add(node.key, { kind: 'node', node }, node.pointer, head, box));
    for (const task of node.tasks) {
      const row = button(
        { class: 'task' },
        element('span', { class: 'dot', 'aria-hidden': 'true' }),
        element('span', { class: 'id' }, task.name),
        ' ',
        element('span', { class: 'muted' }, taskDetail(task)),
        markOf(task.marks),
      );
      box.append(add(task.pointer, { kind: 'task', node, task }, task.pointer, row));
    }
    return box;
  }

  function placeBox(layout: NodeLayout): HTMLElement {
    const { node } = layout;
    if (node.kind === 'team') return teamBox(layout, node);
    const text = node.kind === 'missing' ? node.id : node.kind === 'start' ? t('Entry') : t('End');
    const box = placed(button({ class: `node place ${node.kind}` }, text, markOf(node.marks)), layout);
    return add(node.key, { kind: 'node', node }, node.pointer, box);
  }

  function label({ edge, label: box }: EdgeLayout, line: Element): readonly HTMLElement[] {
    if (box === null) return [];
    const text = placed(
      button({ class: `label ${edge.kind}` }, element('span', {}, box.lines.join('\n')), count(), markOf(edge.marks)),
      box,
    );
    // A mark and a count need more than the layout knows of: it grows to both sides.
    text.style.left = `${box.x + box.width / 2}px`;
    text.style.width = '';
    text.style.minWidth = `${box.width}px`;
    return [add(edge.key, { kind: 'edge', edge }, edge.pointer, text, line)];
  }

  function drawLit(): void {
    for (const { pointer, button, body } of targets.values()) {
      const isLit = pointer === lit;
      body.classList.toggle('is-lit', isLit);
      button.classList.toggle('is-lit', isLit);
    }
  }

  function drawRun(): void {
    root.classList.toggle('has-run', path !== undefined);
    for (const { item, button, body } of targets.values()) {
      const state = stateOf(item, path);
      for (const name of ['running', 'done', 'failed', 'taken']) {
        body.classList.toggle(name, name === state?.name);
        button.classList.toggle(name, name === state?.name);
      }
      const number = button.querySelector(':scope > .count');
      if (number !== null) number.textContent = state !== undefined && state.count > 1 ? `×${state.count}` : '';
      const spoken = button.querySelector(':scope > .spoken') ?? button.appendChild(element('span', { class: 'spoken visually-hidden' }));
      const visible = [...button.childNodes]
        .filter((child) => child !== spoken)
        .map(({ textContent }) => textContent?.replaceAll('\n', ' ') ?? '');
      spoken.textContent = ['', ...unseenFacts(item, visible.join(''), path)].join(', ');
    }
    for (const line of ways.querySelectorAll('.entry'))
      line.classList.toggle('taken', path !== undefined && ownValue(path.ways, '/entry_team') !== undefined);
  }

  return {
    root,
    show(name, layout) {
      const hadFocus = keyOf(document.activeElement) !== undefined;
      canvas.setAttribute('aria-label', t('Graph of {0}', name));
      targets = new Map();
      steps = createSteps(layout);
      const lines = new Map(layout.edges.map((way) => [way.edge.key, wayOf(way)]));
      ways.replaceChildren(...lines.values());
      ways.setAttribute('viewBox', `0 0 ${layout.width} ${layout.height}`);
      const boxes = layout.nodes.map(placeBox);
      const labels = layout.edges.flatMap((way) => label(way, lines.get(way.edge.key) ?? ways));
      canvas.replaceChildren(ways, ...boxes, ...labels);
      viewport.size(layout);
      if (!targets.has(current)) current = steps.first;
      const first = targets.get(current)?.button;
      first?.setAttribute('tabindex', '0');
      if (hadFocus) first?.focus({ preventScroll: true });
      drawLit();
      drawRun();
      // The focused element may have changed by now; the one under the pointer is gone.
      point(undefined);
    },
    light(pointer) {
      if (pointer === lit) return;
      lit = pointer;
      drawLit();
      const target = [...targets.values()].find((candidate) => candidate.pointer === pointer);
      if (target !== undefined && keyOf(document.activeElement) === undefined) viewport.reveal(target.button);
    },
    run(now) {
      path = now;
      drawRun();
    },
    zoom: viewport.zoom,
    place(view) {
      const first = targets.get(steps?.first ?? '')?.button;
      viewport.place(view, first);
    },
  };
}

const zoomKeys: Readonly<Record<string, Zoom>> = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit', '1': 'reset' };

function stateOf(item: Item, path: RunPath | undefined): { readonly name: string; readonly count: number } | undefined {
  if (path === undefined) return undefined;
  if (item.kind === 'edge') {
    const count = ownValue(path.ways, item.edge.key);
    return count === undefined ? undefined : { name: 'taken', count };
  }
  if (item.node.kind !== 'team') return undefined;
  if (item.kind === 'task') {
    const state = ownValue(path.tasks, `${item.node.id}/${item.task.name}`);
    return state === undefined ? undefined : { name: state, count: 1 };
  }
  const team = ownValue(path.teams, item.node.id);
  return team && { name: team.state, count: team.count };
}

function placed<Made extends HTMLElement>(
  made: Made,
  { x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Made {
  made.style.left = `${x}px`;
  made.style.top = `${y}px`;
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  return made;
}

function count(): HTMLElement {
  return element('span', { class: 'count' });
}

/** A mark on an element with findings, which the details list. */
function markOf(marks: readonly GraphMark[]): HTMLElement | undefined {
  const worst = ['error', 'warning', 'info'].find((severity) => marks.some((mark) => mark.severity === severity));
  if (worst === undefined) return undefined;
  return element(
    'span',
    { class: `mark ${worst}`, 'aria-hidden': 'true' },
    worst === 'error' ? '✗' : worst === 'warning' ? '⚠' : 'ℹ\ufe0e',
  );
}

function wayOf(way: EdgeLayout): SVGElement {
  const { edge, points, isBack, isCut } = way;
  const end = points.at(-1) ?? { x: 0, y: 0 };
  const before = points.at(-2) ?? end;
  // Edges of a team to itself come back from the right, all others from above or below.
  const tip = edge.from === edge.to ? 'l7 -4v8z' : before.y <= end.y ? 'l-4 -7h8z' : 'l-4 7h8z';
  return svgElement(
    'g',
    { class: ['way', edge.kind, isBack ? 'back' : '', isCut ? 'cut' : ''].filter(Boolean).join(' ') },
    svgElement('path', { class: 'line', d: edgePath(way) }),
    svgElement('path', { class: 'tip', d: `M${end.x} ${end.y}${tip}` }),
  );
}

/** An SVG element with attributes and children. */
function svgElement<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Node[]
): SVGElementTagNameMap[Name] {
  const createdElement = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) createdElement.setAttribute(key, value);
  createdElement.append(...children);
  return createdElement;
}
