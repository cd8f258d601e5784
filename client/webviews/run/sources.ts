import { element } from '../../panels/page/page.js';
import type { ViewFacts } from '../../views/run/messages.js';
import { createFold } from './fold.js';
import type { WholeTexts } from './wholeTexts.js';
import { count, type Words } from './words.js';

/** The documents an answer rests on. */
export interface Sources {
  readonly root: HTMLElement;
  show(facts: ViewFacts): void;
}

export function createSources(words: Words, texts: WholeTexts, open: (id: string) => void): Sources {
  const root = element('div', { class: 'about' });
  let shown = '';
  return {
    root,
    show({ quality, sources }) {
      const key = JSON.stringify([quality, sources.map(({ id, text }) => [id, text?.part])]);
      if (key === shown) return;
      shown = key;
      root.replaceChildren();
      if (sources.length > 0) root.append(toSources(sources, quality));
    },
  };

  function toSources(sources: ViewFacts['sources'], quality: string | null): HTMLElement {
    const items = sources.map(({ id, title, isLinked, text }) => {
      const name = isLinked
        ? element('button', { type: 'button', class: 'link', title: words('openSource', id), onclick: () => open(id) }, title)
        : element('span', {}, title);
      const beside = title === id ? undefined : element('span', { class: 'muted mono' }, ` ${id}`);
      if (text === null) return element('li', {}, name, beside);
      const fold = createFold('fold', [words('sourceText')], (body) => body.append(texts.show(text, title)));
      return element('li', {}, name, beside, fold.root);
    });
    return element(
      'section',
      { 'aria-labelledby': 'sources-title' },
      element('h2', { id: 'sources-title' }, words('sources', count(sources.length))),
      quality === null ? undefined : element('span', { class: 'muted' }, ' ', words('quality', words(`quality_${quality}`))),
      element('ul', { class: 'sources' }, ...items),
    );
  }
}
