import type { GraphMark } from '../../../core/routing/graph/graphModel.js';
import { element } from '../../panels/page/page.js';
import { createSettle } from '../../panels/page/settle.js';
import type { Words } from './speech.js';

/** The line below the buttons: the file's path, and in its place what is wrong with the file as a whole. */
export interface State {
  readonly root: HTMLElement;
  /** Another file, of which nothing is known yet. */
  file(path: string): void;
  marks(marks: readonly GraphMark[]): void;
  /** Null where what is shown is what the file says. */
  stale(reason: string | null): void;
}

/**
 * It is always there, so that nothing below it moves. Several findings are in a list that opens over the page. Spoken when it changes.
 *
 * @param open shows the place of a finding
 */
export function createState(words: Words, open: (pointer: string) => void): State {
  const line = element('p', { class: 'state-line', role: 'status' });
  const list = element('ul', { id: 'problems', 'aria-label': words('problems'), hidden: true });
  const toggle = element(
    'button',
    {
      class: 'link',
      type: 'button',
      hidden: true,
      'aria-controls': 'problems',
      'aria-expanded': 'false',
      onclick: () => unfold(list.hidden === true),
    },
    words('showAll'),
  );
  const root = element('div', { class: 'problems fine' }, line, toggle, list);
  const settle = createSettle();
  let path = '';
  let marks: readonly GraphMark[] = [];
  let reason: string | null = null;
  let shown = '';

  function unfold(isOpen: boolean): void {
    list.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  }

  function update(): void {
    settle.show(reason !== null, () => {
      const key = JSON.stringify([path, marks, reason]);
      if (key === shown) return;
      shown = key;
      const [first] = marks;
      root.className = `problems ${reason !== null ? 'stale' : first !== undefined ? `${kindOf(first)}s` : 'fine'}`;
      if (reason !== null) line.replaceChildren(element('strong', {}, words('stale')), ` ${reason}`);
      else line.replaceChildren(first === undefined ? path : link(first));
      line.title = line.textContent ?? '';
      toggle.hidden = marks.length < 2;
      if (marks.length < 2) unfold(false);
      list.replaceChildren(...marks.map((mark) => element('li', {}, link(mark))));
    });
  }

  const link = (mark: GraphMark) =>
    element('button', { type: 'button', class: 'link', onclick: () => open(mark.pointer) }, words(kindOf(mark), mark.message));

  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    unfold(false);
    toggle.focus();
  });
  return {
    root,
    file(now) {
      path = now;
      marks = [];
      reason = null;
      settle.restart();
      update();
      settle.restart();
    },
    marks(now) {
      marks = now;
      update();
    },
    stale(now) {
      reason = now;
      update();
    },
  };
}

function kindOf({ severity }: GraphMark): 'error' | 'warning' | 'info' {
  return severity === 'error' || severity === 'warning' ? severity : 'info';
}
