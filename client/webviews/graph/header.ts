import type { GraphMark } from '../../../core/routing/graph/graphModel.js';
import { element } from '../../panels/page/page.js';
import type { GraphAction, RunView } from '../../views/graph/messages.js';
import type { Words } from './speech.js';
import { createState } from './state.js';

export type Shape = 'diagram' | 'list';
export type Zoom = 'in' | 'out' | 'fit' | 'reset';

interface HeaderActions {
  act(action: GraphAction): void;
  zoom(to: Zoom): void;
  shape(shape: Shape): void;
  open(pointer: string): void;
}

/** Name, buttons, what is wrong with the file as a whole, and the run that is shown. */
export interface Header {
  readonly root: HTMLElement;
  /** Another file, of which nothing is known yet. */
  file(name: string, path: string): void;
  show(canRun: boolean, marks: readonly GraphMark[]): void;
  /** Null where what is shown is what the file says. */
  stale(reason: string | null): void;
  run(run: RunView | null): void;
  shape(shape: Shape): void;
  scale(scale: number): void;
}

export function createHeader(words: Words, { act, zoom, shape, open }: HeaderActions): Header {
  const button = (text: string, onclick: () => void, attributes: Readonly<Record<string, string>> = {}) =>
    element('button', { type: 'button', class: 'secondary', onclick, ...attributes }, text);
  const group = (label: string, ...children: readonly Node[]) =>
    element('div', { class: 'group', role: 'group', 'aria-label': label }, ...children);

  const name = element('h1');
  const start = button(`▷ ${words('run')}`, () => act('run'), { 'aria-label': words('run'), class: '' });
  const shapes: Readonly<Record<Shape, HTMLButtonElement>> = {
    diagram: button(words('diagram'), () => shape('diagram'), { class: 'secondary toggle' }),
    list: button(words('list'), () => shape('list'), { class: 'secondary toggle' }),
  };
  const scale = button('100 %', () => zoom('reset'), { title: words('zoomReset'), class: 'secondary scale' });
  const zooming = group(
    words('zoom'),
    button('−', () => zoom('out'), { 'aria-label': words('zoomOut'), title: words('zoomOut') }),
    scale,
    button('+', () => zoom('in'), { 'aria-label': words('zoomIn'), title: words('zoomIn') }),
    button(words('zoomFit'), () => zoom('fit'), { title: words('zoomFitHint') }),
  );
  const menu = element('details', { class: 'menu' }, element('summary', { class: 'secondary' }, words('export')));
  const entries = (['saveSvg', 'saveMermaid', 'copyMermaid'] as const).map((action) =>
    button(words(action), () => {
      menu.open = false;
      menu.querySelector('summary')?.focus();
      act(action);
    }),
  );
  const list = element('div', { class: 'entries' }, ...entries);
  menu.append(list);
  menu.addEventListener('toggle', () => {
    // The button is where the line has room for it: at its end, or at the start of the next one.
    if (menu.open) list.classList.toggle('to-left', menu.getBoundingClientRect().left + list.offsetWidth > document.body.clientWidth);
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) menu.open = false;
  });
  const buttons = element(
    'div',
    { class: 'buttons', hidden: true },
    start,
    group(words('show'), shapes.diagram, shapes.list),
    zooming,
    menu,
  );

  const state = createState(words, open);
  const runState = element('span');
  const toRun = button(words('openRun'), () => act('openRun'));
  const running = element(
    'div',
    { class: 'run-bar', hidden: true },
    runState,
    toRun,
    button(words('clearRun'), () => act('clearRun')),
  );
  const root = element('header', {}, element('div', { class: 'bar' }, name, buttons), state.root, running);

  return {
    root,
    file(title, place) {
      name.textContent = title;
      buttons.hidden = true;
      state.file(place);
    },
    show(canRun, marks) {
      start.hidden = !canRun;
      buttons.hidden = false;
      state.marks(marks);
    },
    stale: state.stale,
    run(run) {
      running.hidden = run === null;
      if (run === null) return;
      const { status } = run.path;
      runState.className = `state ${status}`;
      const text = [words('pathOf', run.run_id?.slice(0, 8) ?? ''), words(`runState_${status}`)].join(' · ');
      if (runState.textContent !== text) runState.textContent = text;
      toRun.hidden = run.run_id === null;
    },
    shape(now) {
      for (const [key, toggle] of Object.entries(shapes)) toggle.setAttribute('aria-pressed', String(key === now));
      zooming.hidden = now !== 'diagram';
    },
    scale(now) {
      scale.textContent = `${Math.round(now * 100)} %`;
    },
  };
}
