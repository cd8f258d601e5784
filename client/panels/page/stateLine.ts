import { button, element } from './page.js';

interface StateView {
  /** `fine`, `stale` or what is wrong: a class of the line. */
  readonly kind: string;
  readonly line: readonly (Node | string)[];
  /** All problems, if the line does not show all of them. */
  readonly items: readonly (readonly (Node | string)[])[];
}

export interface StateLine {
  readonly root: HTMLElement;
  /** @param key of the content: the same key is not shown again */
  show(isWrong: boolean, key: string, view: () => StateView): void;
  /** Different content is shown from here on: its first state shows at once. */
  restart(): void;
}

/**
 * Whether the content is up to date, and what is wrong with it: one line that is always there, so that nothing below it moves, and a list that
 * opens over the page. Spoken when it changes.
 */
export function createStateLine(id: string, labels: { readonly list?: string; readonly open: string }): StateLine {
  const line = element('p', { class: 'state-line', role: 'status' });
  const list = element('ul', { id, 'aria-label': labels.list, hidden: true });
  const toggle = button(
    { class: 'link', hidden: true, 'aria-controls': id, 'aria-expanded': 'false', onclick: () => open(list.hidden === true) },
    labels.open,
  );
  const root = element('div', { class: 'problems fine' }, line, toggle, list);
  const settle = createSettle();
  let shownKey = '';

  function open(isOpen: boolean): void {
    list.hidden = !isOpen;
    toggle.setAttribute('aria-expanded', String(isOpen));
  }

  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || list.hidden) return;
    open(false);
    toggle.focus();
  });
  return {
    root,
    restart: settle.restart,
    show(isWrong, key, view) {
      settle.show(isWrong, () => {
        if (key === shownKey) return;
        shownKey = key;
        const { kind, line: text, items } = view();
        root.className = `problems ${kind}`;
        line.replaceChildren(...text);
        line.title = line.textContent ?? '';
        toggle.hidden = items.length === 0;
        if (items.length === 0) open(false);
        list.replaceChildren(...items.map((item) => element('li', {}, ...item)));
      });
    },
  };
}

/** How long something has to be wrong before it is shown, in ms: text is often broken for moments while it is typed. */
const moment = 700;

/** Shows an error only when it persists, so that nothing flickers while a user types. Its end shows at once. */
interface Settle {
  /** @param apply brings it on the page */
  show(isWrong: boolean, apply: () => void): void;
  /** Different content is shown from here on: its first state shows at once. */
  restart(): void;
}

function createSettle(): Settle {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  let isWrongNow = false;
  let latest: () => void = () => undefined;
  const showNow = (isWrong: boolean) => {
    clearTimeout(timer);
    timer = undefined;
    isWrongNow = isWrong;
    latest();
  };
  return {
    show(isWrong, apply) {
      latest = apply;
      if (!isWrong || isWrongNow || isFirst) showNow(isWrong);
      else timer ??= setTimeout(() => showNow(true), moment);
      isFirst = false;
    },
    restart() {
      isFirst = true;
    },
  };
}
