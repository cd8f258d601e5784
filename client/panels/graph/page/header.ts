import type { GraphMark } from '../../../../core/routing/graph/graphModel.js';
import { t } from '../../page/l10n.js';
import { type Attributes, button, element } from '../../page/page.js';
import { createStateLine } from '../../page/stateLine.js';
import { statusWord } from '../../page/words.js';
import type { FromPage, RunView } from '../messages.js';
import { markText } from './speech.js';

export type Shape = 'diagram' | 'list';
export type Zoom = 'in' | 'out' | 'fit' | 'reset';

interface HeaderActions {
  act(action: Exclude<FromPage['type'], 'open'>): void;
  zoom(to: Zoom): void;
  shape(shape: Shape): void;
  open(pointer: string): void;
}

/** Name, buttons, the findings of the whole file, and the run that is shown. */
export interface Header {
  readonly root: HTMLElement;
  /** Another file, about which nothing is known yet. */
  file(name: string, path: string): void;
  show(canRun: boolean, marks: readonly GraphMark[]): void;
  /** Null when the graph shows the current content of the file. */
  stale(reason: string | null): void;
  run(run: RunView | null): void;
  shape(shape: Shape): void;
  scale(scale: number): void;
}

export function createHeader({ act, zoom, shape, open }: HeaderActions): Header {
  const secondary = (text: string, onclick: () => void, attributes: Attributes = {}) =>
    button({ class: 'secondary', onclick, ...attributes }, text);
  const group = (label: string, ...children: readonly Node[]) =>
    element('div', { class: 'group', role: 'group', 'aria-label': label }, ...children);

  const name = element('h1');
  const run = button({ onclick: () => act('run'), 'aria-label': t('Run') }, `▷ ${t('Run')}`);
  const shapes: Readonly<Record<Shape, HTMLButtonElement>> = {
    diagram: secondary(t('Diagram'), () => shape('diagram'), { class: 'secondary toggle' }),
    list: secondary(t('List'), () => shape('list'), { class: 'secondary toggle' }),
  };
  const scale = secondary('100 %', () => zoom('reset'), { title: t('Original size (1)'), class: 'secondary scale' });
  const zooming = group(
    t('Zoom'),
    secondary('−', () => zoom('out'), { 'aria-label': t('Zoom out'), title: t('Zoom out') }),
    scale,
    secondary('+', () => zoom('in'), { 'aria-label': t('Zoom in'), title: t('Zoom in') }),
    secondary(t('Fit'), () => zoom('fit'), { title: t('Show all of it (0)') }),
  );
  const menu = createMenu(t('Export'), [
    secondary(t('Save as SVG...'), () => act('saveSvg')),
    secondary(t('Save as Mermaid...'), () => act('saveMermaid')),
    secondary(t('Copy as Mermaid'), () => act('copyMermaid')),
  ]);
  const buttons = element('div', { class: 'buttons', hidden: true }, run, group(t('Shown as'), shapes.diagram, shapes.list), zooming, menu);

  const state = createStateLine('problems', { list: t('Problems'), open: t('Show All') });
  let path = '';
  let marks: readonly GraphMark[] = [];
  let stale: string | null = null;
  const toLink = (mark: GraphMark) => button({ class: 'link', onclick: () => open(mark.pointer) }, markText(mark));
  const showState = () =>
    state.show(stale !== null, JSON.stringify([path, marks, stale]), () => {
      const [first] = marks;
      const line = first === undefined ? [path] : [toLink(first)];
      return {
        kind: stale !== null ? 'stale' : first !== undefined ? `${kindOf(first)}s` : 'fine',
        line: stale === null ? line : [element('strong', {}, t('Last good state.')), ` ${stale}`],
        items: marks.length < 2 ? [] : marks.map((mark) => [toLink(mark)]),
      };
    });

  const runState = element('span');
  const toRun = secondary(t('Show Run'), () => act('openRun'));
  const hideRun = secondary(t('Hide'), () => act('clearRun'));
  const runBar = element('div', { class: 'run-bar', hidden: true }, runState, toRun, hideRun);
  const root = element('header', {}, element('div', { class: 'bar' }, name, buttons), state.root, runBar);

  return {
    root,
    file(title, place) {
      name.textContent = title;
      buttons.hidden = true;
      [path, marks, stale] = [place, [], null];
      state.restart();
      showState();
      state.restart();
    },
    show(canRun, now) {
      run.hidden = !canRun;
      buttons.hidden = false;
      marks = now;
      showState();
    },
    stale(reason) {
      stale = reason;
      showState();
    },
    run(now) {
      runBar.hidden = now === null;
      if (now === null) return;
      const { status } = now.path;
      runState.className = `state ${status}`;
      const text = [t('The path of run {0}', now.run_id?.slice(0, 8) ?? ''), statusWord(status)].join(' · ');
      if (runState.textContent !== text) runState.textContent = text;
      toRun.hidden = now.run_id === null;
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

/** A menu of buttons: closed by Escape, by a choice, and when the focus leaves it. */
function createMenu(title: string, entries: readonly HTMLButtonElement[]): HTMLElement {
  const summary = element('summary', { class: 'secondary' }, title);
  const list = element('div', { class: 'entries' }, ...entries);
  const menu = element('details', { class: 'menu' }, summary, list);
  const close = () => {
    menu.open = false;
    summary.focus();
  };
  // Before the action of the entry.
  list.addEventListener('click', ({ target }) => target instanceof HTMLButtonElement && close(), { capture: true });
  menu.addEventListener('toggle', () => {
    // The button is where the line has room for it: at its end, or at the start of the next one.
    if (menu.open) list.classList.toggle('to-left', menu.getBoundingClientRect().left + list.offsetWidth > document.body.clientWidth);
  });
  menu.addEventListener('keydown', ({ key }) => key === 'Escape' && close());
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) menu.open = false;
  });
  return menu;
}

function kindOf({ severity }: GraphMark): 'error' | 'warning' | 'info' {
  return severity === 'error' || severity === 'warning' ? severity : 'info';
}
