import type { ProblemsView, ToPage } from '../../views/preview/messages.js';
import { element } from '../page.js';
import type { Post, Words } from './page.js';

/** Why the prompt is not up to date, and what would stop a run. Spoken when it comes up. */
export function createProblems(words: Words, post: Post) {
  const stale = element('p', { class: 'stale', hidden: true });
  const heading = element('p', { class: 'heading' });
  const list = element('ul');
  const errors = element('div', { class: 'errors', hidden: true }, heading, list);
  let shown = '';
  return {
    element: element('div', { class: 'problems', role: 'status' }, stale, errors),
    showStale({ reason, hasPrompt }: Extract<ToPage, { type: 'stale' }>): void {
      stale.hidden = reason === null;
      stale.replaceChildren(element('strong', {}, words(hasPrompt ? 'stale' : 'never')), ` ${reason ?? ''}`);
    },
    show({ errors: found, more }: ProblemsView): void {
      const key = JSON.stringify([found, more]);
      if (key === shown) return;
      shown = key;
      const count = found.length + more;
      errors.hidden = count === 0;
      heading.textContent = count === 1 ? words('error') : words('errors', count);
      const items = found.map(({ message, code, place }, index) =>
        element(
          'li',
          {},
          element('button', { class: 'link', type: 'button', onclick: () => post({ type: 'openError', index }) }, place),
          ` ${message} `,
          element('span', { class: 'muted' }, code),
        ),
      );
      if (more > 0) items.push(element('li', { class: 'muted' }, words('moreErrors', more)));
      list.replaceChildren(...items);
    },
  };
}
