import type { ViewFacts } from '../../views/run/messages.js';
import { element } from '../page.js';
import { createFold } from './fold.js';
import type { WholeTexts } from './wholeTexts.js';
import { count, type Words } from './words.js';

/** How sure the answer is and why, and the documents it rests on. */
export interface About {
  readonly root: HTMLElement;
  show(facts: ViewFacts): void;
}

export function createAbout(words: Words, texts: WholeTexts, open: (id: string) => void): About {
  const root = element('div', { class: 'about' });
  let shown = '';
  return {
    root,
    show({ confidence, quality, sources }) {
      const key = JSON.stringify([confidence, quality, sources.map(({ id, text }) => [id, text?.part])]);
      if (key === shown) return;
      shown = key;
      root.replaceChildren();
      if (confidence !== null) root.append(toConfidence(confidence, quality));
      if (sources.length > 0) root.append(toSources(sources));
    },
  };

  function toConfidence({ value, reasons }: NonNullable<ViewFacts['confidence']>, quality: string | null): HTMLElement {
    const percent = Math.round(value * 100);
    const meter = element('meter', { min: 0, max: 1, value, 'aria-label': words('confidence') });
    const line = element('p', { class: 'confidence' }, meter, ' ', element('strong', {}, words('percent', percent)));
    const why = reasons.map(({ word, count: times }) => words(word, count(times))).join(', ');
    if (why !== '') line.append(' ', element('span', { class: 'muted' }, words('because', why)));
    if (quality !== null) line.append(' ', element('span', { class: 'muted' }, words('quality', words(`quality_${quality}`))));
    return element(
      'section',
      { 'aria-labelledby': 'confidence-title' },
      element('h2', { id: 'confidence-title', title: words('confidenceHint') }, words('confidence')),
      line,
    );
  }

  function toSources(sources: ViewFacts['sources']): HTMLElement {
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
      element('ul', { class: 'sources' }, ...items),
    );
  }
}
