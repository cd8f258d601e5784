import { element } from '../../page/page.js';

/** An element with a line that is always visible and content that can be folded. */
export interface Fold {
  readonly root: HTMLDetailsElement;
  /** The line; its first child says what it is. */
  readonly line: HTMLElement;
  readonly body: HTMLElement;
  /** The user has opened or closed it; after that it is never changed automatically. */
  readonly isTouched: boolean;
  set(isOpen: boolean): void;
}

/** @param fill makes the content, once, when it is first unfolded: folded content costs nothing */
export function createFold(className: string, line: readonly (Node | string)[], fill?: (body: HTMLElement) => void): Fold {
  const summary = element('summary', {}, ...line);
  const body = element('div', { class: 'fold-body' });
  const root = element('details', { class: className }, summary, body);
  let isTouched = false;
  let isFilled = fill === undefined;
  const make = () => {
    if (isFilled) return;
    isFilled = true;
    fill?.(body);
  };
  summary.addEventListener('click', () => {
    isTouched = true;
  });
  root.addEventListener('toggle', () => root.open && make());
  return {
    root,
    line: summary,
    body,
    get isTouched() {
      return isTouched;
    },
    set(isOpen) {
      // Do not fold a section that has the focus.
      if (!isOpen && body.contains(document.activeElement)) return;
      root.open = isOpen;
      if (isOpen) make();
    },
  };
}
