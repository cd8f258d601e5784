import { codeNodes } from '../../page/code.js';
import type { CodeLanguage } from '../../page/codeTokens.js';
import { t } from '../../page/l10n.js';
import { button, copyButton, element } from '../../page/page.js';
import { count } from '../../page/words.js';
import { type FormatView, type Post, type RequestView, type Tab, type ToolsView, tabs } from '../messages.js';
import { createTools } from './tools.js';

/** The prompt, the response format, the request as JSON and as a command. */
export function createTabs(post: Post, prompt: HTMLElement, onSelect: (tab: Tab) => void) {
  const format = element('div');
  const request = element('div', {}, element('p', { class: 'muted' }, t('Preparing the request...')));
  const curl = element('div', {}, element('p', { class: 'muted' }, t('Preparing the request...')));
  const tools = createTools(post);
  const contents: Readonly<Record<Tab, HTMLElement>> = { prompt, tools: tools.element, format, request, curl };
  const titles: Readonly<Record<Tab, string>> = {
    prompt: t('Prompt'),
    tools: t('Tools'),
    format: t('Response Format'),
    request: t('Request'),
    curl: t('cURL'),
  };
  const buttons = new Map(
    tabs.map((tab) => [
      tab,
      button({ role: 'tab', id: `tab-${tab}`, 'aria-controls': `panel-${tab}`, onclick: () => select(tab) }, titles[tab]),
    ]),
  );
  const panels = new Map(
    tabs.map((tab) => [tab, element('div', { role: 'tabpanel', id: `panel-${tab}`, 'aria-labelledby': `tab-${tab}` }, contents[tab])]),
  );
  const bar = element('div', { role: 'tablist', class: 'tabs', 'aria-label': t('Parts of the request') }, ...buttons.values());
  bar.addEventListener('keydown', (event) => {
    const reachable = tabs.filter((tab) => buttons.get(tab)?.hidden === false);
    const at = reachable.findIndex((tab) => buttons.get(tab) === document.activeElement);
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: reachable.length - 1 };
    const step = steps[event.key];
    if (at < 0 || step === undefined) return;
    const to = reachable[(step + reachable.length) % reachable.length];
    if (to === undefined) return;
    select(to);
    buttons.get(to)?.focus();
    event.preventDefault();
  });

  function select(selected: Tab): void {
    for (const [tab, button] of buttons) {
      button.setAttribute('aria-selected', String(tab === selected));
      button.tabIndex = tab === selected ? 0 : -1;
    }
    for (const [tab, panel] of panels) panel.hidden = tab !== selected;
    post({ type: 'tab', tab: selected });
    onSelect(selected);
  }

  const code = (text: string, language: CodeLanguage, label: string) =>
    element('pre', { class: 'code', tabindex: 0, 'aria-label': label }, ...codeNodes(text, language));

  return {
    element: element('div', {}, bar, ...panels.values()),
    select,
    /** The tab is shown for agents that have tools. */
    showTools(view: ToolsView | null): void {
      tools.show(view);
      const button = buttons.get('tools');
      if (button === undefined) return;
      button.hidden = view === null;
      button.textContent = view === null ? '' : `${t('Tools')} (${count(view.tools.length)})`;
      if (view === null && button.getAttribute('aria-selected') === 'true') select('prompt');
    },
    showFormat(view: FormatView | null): void {
      if (view === null) {
        format.replaceChildren(
          element('p', { class: 'muted' }, t('No response format is sent. An output schema, if the agent has one, is part of the prompt.')),
        );
        return;
      }
      const head = element(
        'div',
        { class: 'message-head' },
        element('h2', {}, view.name),
        element('span', { class: 'muted' }, view.strict ? t('strict: the model cannot answer outside the schema') : t('not strict')),
        button({ class: 'link', onclick: () => post({ type: 'openPointer', pointer: '/output_schema' }) }, t('Show in File')),
        copyButton(t('Copy'), () => post({ type: 'copy', what: 'format', index: 0 })),
      );
      const reasons = element('ul', { class: 'muted' }, ...view.reasons.map((reason) => element('li', {}, reason)));
      format.replaceChildren(head, ...(view.reasons.length > 0 ? [reasons] : []), code(view.schema, 'json', t('Response Format')));
    },
    showRequest(view: RequestView): void {
      if (view.refusal !== undefined) {
        for (const place of [request, curl]) place.replaceChildren(element('p', { class: 'muted' }, view.refusal));
        return;
      }
      const hint = () => element('p', { class: 'muted' }, t('The key is not shown: a run takes it from where the profile says.'));
      const more = () =>
        view.more > 0 ? [element('p', { class: 'muted' }, t('{0} more characters are not shown.', count(view.more)))] : [];
      request.replaceChildren(
        element(
          'div',
          { class: 'message-head' },
          element('h2', {}, view.url),
          copyButton(t('Copy'), () => post({ type: 'copy', what: 'request', index: 0 })),
        ),
        element('pre', { class: 'code headers' }, ...codeNodes(view.headers, 'headers')),
        code(view.body, 'json', t('Request')),
        ...more(),
        hint(),
      );
      if (view.curl === null) {
        curl.replaceChildren(element('p', { class: 'muted' }, t('The key is in a variable that no shell can name.')));
        return;
      }
      curl.replaceChildren(
        element(
          'div',
          { class: 'message-head' },
          element('h2', {}, 'curl'),
          copyButton(t('Copy'), () => post({ type: 'copy', what: 'curl', index: 0 })),
        ),
        code(view.curl, 'shell', t('cURL')),
        ...more(),
        hint(),
      );
    },
  };
}
