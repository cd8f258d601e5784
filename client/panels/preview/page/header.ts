import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import type { Post, ToPage } from '../messages.js';

/** Which agent is shown, and its actions. */
export function createHeader(post: Post) {
  const name = element('h1');
  const path = element('span', { class: 'path muted' });
  const lock = button(
    {
      class: 'secondary toggle',
      'aria-pressed': 'false',
      title: t('Keep this agent; otherwise the preview follows the active agent file'),
      onclick: () => post({ type: 'lock', isLocked: lock.getAttribute('aria-pressed') !== 'true' }),
    },
    t('Lock'),
  );
  const profile = element('select', {
    title: t('Show the request with another LLM profile, as a run can take one'),
    'aria-label': t('LLM profile'),
    onchange: () => post({ type: 'profile', id: profile.value }),
  });
  const action = (label: string, name: 'run' | 'text' | 'compare', attributes: Record<string, string> = {}) =>
    button({ class: 'secondary', onclick: () => post({ type: 'do', action: name }), ...attributes }, label);
  const tools = element(
    'div',
    { class: 'tools' },
    profile,
    lock,
    action(t('As Text'), 'text', { title: t('Open as a plain text document') }),
    action(t('Compare...'), 'compare'),
    action(t('Run'), 'run', { class: '' }),
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
        element('option', { value: '' }, `${t('LLM profile')}: ${t("the agent's own")}`),
        ...ids.map((id) => element('option', { value: id }, id)),
      );
      profile.value = chosen;
    },
  };
}
