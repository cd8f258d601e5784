import type { RunPath } from '../../../core/routing/graph/runPath.js';
import { element } from '../../panels/page/page.js';
import type { Item, Speech, Words } from './speech.js';

/** All that is to be said of what is pointed at or has the focus, below the picture: nothing has to fit into a box. */
export interface Details {
  readonly root: HTMLElement;
  show(item: Item | undefined): void;
  run(path: RunPath | undefined): void;
}

export function createDetails(words: Words, speech: Speech): Details {
  // What has the focus says the same of itself to a screen reader.
  const root = element('div', { class: 'details', 'aria-hidden': 'true', title: words('details') });
  let shown: Item | undefined;
  let path: RunPath | undefined;

  function draw(): void {
    root.replaceChildren();
    if (shown === undefined) {
      root.append(element('p', { class: 'muted' }, words('keys')));
      return;
    }
    const marks = speech.marks(shown);
    const facts = speech.facts(shown, path).slice(0, marks.length === 0 ? undefined : -marks.length);
    root.append(
      element('p', {}, element('strong', {}, speech.name(shown)), facts.length === 0 ? '' : ` · ${facts.join(' · ')}`),
      ...marks.map((mark) => element('p', { class: `mark ${mark.severity}` }, speech.mark(mark))),
    );
  }
  draw();

  return {
    root,
    show(item) {
      if (item === shown) return;
      shown = item;
      draw();
    },
    run(now) {
      path = now;
      draw();
    },
  };
}
