import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import { count } from '../../page/words.js';
import type { ViewFacts } from '../messages.js';
import { createFold } from './fold.js';
import type { WholeTexts } from './wholeTexts.js';

/** The documents an answer rests on. */
export interface Sources {
  readonly root: HTMLElement;
  show(facts: ViewFacts): void;
}

export function createSources(texts: WholeTexts, open: (id: string) => void): Sources {
  const root = element('div', { class: 'about' });
  let shownText = '';
  return {
    root,
    show({ quality, sources }) {
      const key = JSON.stringify([quality, sources.map(({ id, text }) => [id, text?.part])]);
      if (key === shownText) return;
      shownText = key;
      root.replaceChildren();
      if (sources.length > 0) root.append(toSources(sources, quality));
    },
  };

  function toSources(sources: ViewFacts['sources'], quality: string | null): HTMLElement {
    const items = sources.map(({ id, title, isLinked, text }) => {
      const name = isLinked
        ? button({ class: 'link', title: t('Open {0}', id), onclick: () => open(id) }, title)
        : element('span', {}, title);
      const beside = title === id ? undefined : element('span', { class: 'muted mono' }, ` ${id}`);
      if (text === null) return element('li', {}, name, beside);
      const fold = createFold('fold', [t('Text')], (body) => body.append(texts.show(text, title)));
      return element('li', {}, name, beside, fold.root);
    });
    return element(
      'section',
      { 'aria-labelledby': 'sources-title' },
      element('h2', { id: 'sources-title' }, t('Sources ({0})', count(sources.length))),
      quality === null ? undefined : element('span', { class: 'muted' }, ' ', t('quality: {0}', qualityWord(quality))),
      element('ul', { class: 'sources' }, ...items),
    );
  }
}

function qualityWord(quality: string): string {
  switch (quality) {
    case 'high':
      return t('high');
    case 'medium':
      return t('medium');
    case 'low':
      return t('low');
    default:
      return t('unknown');
  }
}
