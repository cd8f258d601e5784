import { codeNodes } from '../../panels/page/code.js';
import type { CodeLanguage } from '../../panels/page/codeTokens.js';
import { element } from '../../panels/page/page.js';
import type { FormatView, RequestView, Tab, ToolsView } from '../../views/preview/messages.js';
import { copyButton, number, type Post, type Words } from './page.js';
import { createTools } from './tools.js';

const names: readonly { readonly tab: Tab; readonly word: string }[] = [
  { tab: 'prompt', word: 'tabPrompt' },
  { tab: 'tools', word: 'tabTools' },
  { tab: 'format', word: 'tabFormat' },
  { tab: 'request', word: 'tabRequest' },
  { tab: 'curl', word: 'tabCurl' },
];

/** The prompt, the response format, the request as JSON and as a command. */
export function createTabs(words: Words, post: Post, prompt: HTMLElement, onSelect: (tab: Tab) => void) {
  const format = element('div');
  const request = element('div', {}, element('p', { class: 'muted' }, words('requestWait')));
  const curl = element('div', {}, element('p', { class: 'muted' }, words('requestWait')));
  const tools = createTools(words, post);
  const contents: Readonly<Record<Tab, HTMLElement>> = { prompt, tools: tools.element, format, request, curl };
  const buttons = new Map(
    names.map(({ tab, word }) => [
      tab,
      element(
        'button',
        { role: 'tab', type: 'button', id: `tab-${tab}`, 'aria-controls': `panel-${tab}`, onclick: () => select(tab) },
        words(word),
      ),
    ]),
  );
  const panels = new Map(
    names.map(({ tab }) => [tab, element('div', { role: 'tabpanel', id: `panel-${tab}`, 'aria-labelledby': `tab-${tab}` }, contents[tab])]),
  );
  const bar = element('div', { role: 'tablist', class: 'tabs', 'aria-label': words('tabs') }, ...buttons.values());
  bar.addEventListener('keydown', (event) => {
    const there = names.filter(({ tab }) => buttons.get(tab)?.hidden === false);
    const at = there.findIndex(({ tab }) => buttons.get(tab) === document.activeElement);
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: there.length - 1 };
    const step = steps[event.key];
    if (at < 0 || step === undefined) return;
    const to = there[(step + there.length) % there.length];
    if (to === undefined) return;
    select(to.tab);
    buttons.get(to.tab)?.focus();
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
    /** The tab is there for agents that have tools. */
    showTools(view: ToolsView | null): void {
      tools.show(view);
      const button = buttons.get('tools');
      if (button === undefined) return;
      button.hidden = view === null;
      button.textContent = view === null ? '' : `${words('tabTools')} (${number(view.tools.length)})`;
      if (view === null && button.getAttribute('aria-selected') === 'true') select('prompt');
    },
    showFormat(view: FormatView | null): void {
      if (view === null) {
        format.replaceChildren(element('p', { class: 'muted' }, words('formatNone')));
        return;
      }
      const head = element(
        'div',
        { class: 'message-head' },
        element('h2', {}, view.name),
        element('span', { class: 'muted' }, words(view.strict ? 'strict' : 'notStrict')),
        element(
          'button',
          { class: 'link', type: 'button', onclick: () => post({ type: 'openPointer', pointer: '/output_schema' }) },
          words('openSchema'),
        ),
        copyButton(words, words('copy'), () => post({ type: 'copy', what: 'format', index: 0 })),
      );
      const reasons = element('ul', { class: 'muted' }, ...view.reasons.map((reason) => element('li', {}, reason)));
      format.replaceChildren(head, ...(view.reasons.length > 0 ? [reasons] : []), code(view.schema, 'json', words('tabFormat')));
    },
    showRequest(view: RequestView): void {
      if (view.refusal !== undefined) {
        for (const place of [request, curl]) place.replaceChildren(element('p', { class: 'muted' }, view.refusal));
        return;
      }
      const hint = () => element('p', { class: 'muted' }, words('maskedHint'));
      const more = () => (view.more > 0 ? [element('p', { class: 'muted' }, words('more', number(view.more)))] : []);
      request.replaceChildren(
        element(
          'div',
          { class: 'message-head' },
          element('h2', {}, view.url),
          copyButton(words, words('copy'), () => post({ type: 'copy', what: 'request', index: 0 })),
        ),
        element('pre', { class: 'code headers' }, ...codeNodes(view.headers, 'headers')),
        code(view.body, 'json', words('tabRequest')),
        ...more(),
        hint(),
      );
      if (view.curl === null) {
        curl.replaceChildren(element('p', { class: 'muted' }, words('noCurl')));
        return;
      }
      curl.replaceChildren(
        element(
          'div',
          { class: 'message-head' },
          element('h2', {}, 'curl'),
          copyButton(words, words('copy'), () => post({ type: 'copy', what: 'curl', index: 0 })),
        ),
        code(view.curl, 'shell', words('tabCurl')),
        ...more(),
        hint(),
      );
    },
  };
}
