import { element } from '../../panels/page/page.js';
import type { ToPage } from '../../views/preview/messages.js';
import type { Post, Words } from './page.js';

/** Which agent is shown, and what can be done with it. */
export function createHeader(words: Words, post: Post) {
  const name = element('h1');
  const path = element('span', { class: 'path muted' });
  const lock = element(
    'button',
    {
      class: 'secondary toggle',
      type: 'button',
      'aria-pressed': 'false',
      title: words('lockHint'),
      onclick: () => post({ type: 'lock', isLocked: lock.getAttribute('aria-pressed') !== 'true' }),
    },
    words('lock'),
  );
  const profile = element('select', {
    title: words('profileHint'),
    'aria-label': words('profileLabel'),
    onchange: () => post({ type: 'profile', id: profile.value }),
  });
  const action = (label: string, name: 'run' | 'text' | 'compare', attributes: Record<string, string> = {}) =>
    element('button', { class: 'secondary', type: 'button', onclick: () => post({ type: 'do', action: name }), ...attributes }, label);
  const tools = element(
    'div',
    { class: 'tools' },
    profile,
    lock,
    action(words('text'), 'text', { title: words('textHint') }),
    action(words('compare'), 'compare'),
    action(words('run'), 'run', { class: '' }),
  );
  tools.hidden = true;
  return {
    element: element('header', {}, element('div', { class: 'title' }, name, path), tools),
    /** Says whether this is another agent than before. */
    show(agent: Extract<ToPage, { type: 'agent' }>): 'same' | 'other' {
      const is = path.title === agent.path ? 'same' : 'other';
      name.replaceChildren(agent.name, element('span', { class: 'version muted' }, ` ${agent.version}`));
      path.textContent = agent.path;
      path.title = agent.path;
      lock.setAttribute('aria-pressed', String(agent.isLocked));
      tools.hidden = false;
      return is;
    },
    /** Where there is no other profile, there is nothing to choose. */
    showProfiles({ ids, chosen }: Extract<ToPage, { type: 'profiles' }>): void {
      profile.hidden = ids.length === 0;
      profile.replaceChildren(
        element('option', { value: '' }, `${words('profileLabel')}: ${words('ownProfile')}`),
        ...ids.map((id) => element('option', { value: id }, id)),
      );
      profile.value = chosen;
    },
  };
}
