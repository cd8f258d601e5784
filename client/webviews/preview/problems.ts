import { element } from '../../panels/page/page.js';
import { createSettle } from '../../panels/page/settle.js';
import type { ErrorView, ProblemsView, ToPage } from '../../views/preview/messages.js';
import { number, type Post, type Words } from './page.js';

type Stale = Omit<Extract<ToPage, { type: 'stale' }>, 'type'>;
type Errors = Pick<ProblemsView, 'errors' | 'more'>;

/**
 * Whether what is shown is up to date, and what would stop a run: one line that is always there, so that nothing below it moves. All errors are
 * in a list that opens over the page. Spoken when it changes.
 */
export function createProblems(words: Words, post: Post, onStale: (isStale: boolean) => void) {
  const line = element('p', { class: 'state-line', role: 'status' });
  const list = element('ul', { id: 'errors', hidden: true });
  const toggle = element(
    'button',
    { class: 'link', type: 'button', 'aria-controls': 'errors', 'aria-expanded': 'false', onclick: () => open(list.hidden === true) },
    words('showErrors'),
  );
  const root = element('div', { class: 'problems' }, line, toggle, list);
  const settle = createSettle();
  let stale: Stale = { reason: null, hasPrompt: true };
  /** Undefined until the files have been judged. */
  let problems: Errors | undefined;
  let shown = '';

  function open(isOpen: boolean): void {
    list.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  }

  function update(): void {
    const { errors, more } = problems ?? { errors: [], more: 0 };
    const isStale = stale.reason !== null;
    settle.show(isStale || errors.length > 0, () => {
      onStale(isStale);
      const key = JSON.stringify([stale, problems]);
      if (key === shown) return;
      shown = key;
      root.className = `problems ${isStale ? 'stale' : errors.length > 0 ? 'errors' : 'fine'}`;
      line.replaceChildren(...lineOf(stale, problems));
      line.title = line.textContent ?? '';
      toggle.hidden = errors.length === 0;
      if (errors.length === 0) open(false);
      const items = errors.map((error, index) =>
        element('li', {}, link(error, index), ` ${error.message} `, element('span', { class: 'muted' }, error.code)),
      );
      if (more > 0) items.push(element('li', { class: 'muted' }, words('moreErrors', number(more))));
      list.replaceChildren(...items);
    });
  }

  function lineOf({ reason, hasPrompt }: Stale, judged: Errors | undefined): readonly (Node | string)[] {
    const { errors, more } = judged ?? { errors: [], more: 0 };
    const [first] = errors;
    const count = errors.length + more;
    const said: (Node | string)[] = [];
    if (reason !== null) said.push(element('strong', {}, words(hasPrompt ? 'stale' : 'never')), ' ');
    else if (count > 0) said.push(element('strong', {}, count === 1 ? words('error') : words('errors', number(count))), ' ');
    else if (judged !== undefined) said.push(words('fine'));
    if (first !== undefined) said.push(link({ ...first, place: first.place.slice(first.place.lastIndexOf('/') + 1) }, 0), ' ');
    // What is wrong with the file is its first error too.
    const text = reason ?? first?.message;
    return text === undefined ? said : [...said, text];
  }

  const link = ({ place }: ErrorView, index: number) =>
    element('button', { class: 'link', type: 'button', onclick: () => post({ type: 'openError', index }) }, place);

  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    open(false);
    toggle.focus();
  });
  return {
    element: root,
    /** Another agent is shown, whose state is told at once. */
    restart(): void {
      problems = undefined;
      settle.restart();
    },
    showStale(now: Stale): void {
      stale = now;
      update();
    },
    show(now: Errors): void {
      problems = now;
      update();
    },
  };
}
