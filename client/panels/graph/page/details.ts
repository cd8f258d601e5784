import type { RunPath } from '../../../../core/routing/graph/runPath.js';
import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import { factsOf, type Item, marksOf, markText, nameOf } from './speech.js';

/** Everything about what is pointed at or has the focus, below the picture: it need not fit into a box. */
export interface Details {
  readonly root: HTMLElement;
  show(item: Item | undefined): void;
  run(path: RunPath | undefined): void;
}

export function createDetails(): Details {
  // The focused element says the same to a screen reader itself.
  const root = element('div', { class: 'details', 'aria-hidden': 'true', title: t('Details') });
  let item: Item | undefined;
  let path: RunPath | undefined;

  function draw(): void {
    if (item === undefined) {
      root.replaceChildren(element('p', { class: 'muted' }, t('Arrow keys follow the routes, Enter shows the JSON, plus and minus zoom.')));
      return;
    }
    const marks = marksOf(item);
    const facts = factsOf(item, path).slice(0, marks.length === 0 ? undefined : -marks.length);
    root.replaceChildren(
      element('p', {}, element('strong', {}, nameOf(item)), facts.length === 0 ? '' : ` · ${facts.join(' · ')}`),
      ...marks.map((mark) => element('p', { class: `mark ${mark.severity}` }, markText(mark))),
    );
  }
  draw();

  return {
    root,
    show(now) {
      if (now === item) return;
      item = now;
      draw();
    },
    run(now) {
      path = now;
      draw();
    },
  };
}
