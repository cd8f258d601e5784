import './style.css';
import { connectHost, createWords, element } from '../../panels/page/page.js';
import { type FromPage, isToPage, type PanelState, type Tab, type ToPage } from '../../views/preview/messages.js';
import { createFacts } from './facts.js';
import { createHeader } from './header.js';
import { createInput } from './input.js';
import { createMessages } from './messagesView.js';
import { createProblems } from './problems.js';
import { createTabs } from './tabs.js';

const host = connectHost();
const words = createWords();
const post = (message: FromPage) => host.postMessage(message);

const header = createHeader(words, post);
const problems = createProblems(words, post, (isStale) => body.classList.toggle('is-stale', isStale));
const facts = createFacts(words, post);
const input = createInput(words, post);
const messages = createMessages(words, post);
const tabs = createTabs(words, post, messages.element, (tab) => keep({ tab }));
const start = element('p', { class: 'start muted' }, words('loading'));
const side = element('aside', { class: 'side' }, facts.element, input.box);
const main = element('main', { class: 'main' }, tabs.element);
const body = element('div', { class: 'body', hidden: true }, side, main);
header.element.append(problems.element);
document.body.append(header.element, start, body, messages.origin);

interface Kept extends PanelState {
  readonly tab?: Tab;
  readonly isInputOpen?: boolean;
  readonly isFactsOpen?: boolean;
}

/** Brings the panel back after a reload, with what was looked at. */
function keep(change: Partial<Kept>): void {
  host.setState({ ...(host.getState() as Kept | undefined), ...change });
}

function receive(message: ToPage): void {
  switch (message.type) {
    case 'nothing':
      start.textContent = words('nothing');
      start.hidden = false;
      body.hidden = true;
      return;
    case 'agent':
      keep(message.state);
      if (header.show(message) === 'other') problems.restart();
      start.hidden = true;
      body.hidden = false;
      return;
    case 'prompt':
      messages.apply(message);
      facts.element.hidden = message.messages.length === 0;
      if (message.format !== undefined) tabs.showFormat(message.format);
      if (message.tools !== undefined) tabs.showTools(message.tools);
      // What is drawn can be measured: the first frame after it is painted.
      requestAnimationFrame(() => post({ type: 'painted', version: message.version }));
      return;
    case 'stale':
      problems.showStale(message);
      return;
    case 'problems':
      problems.show(message.problems);
      input.showIssues(message.problems.issues);
      return;
    case 'facts':
      facts.show(message.facts);
      messages.showTokens(message.facts.tokens);
      return;
    case 'input':
      input.show(message);
      return;
    case 'profiles':
      header.showProfiles(message);
      return;
    case 'lit':
      messages.light(message);
      return;
    case 'request':
      tabs.showRequest(message.request);
      return;
  }
}

// What is scrolled into view stays clear of the header, which has more lines in a narrow panel.
new ResizeObserver(() => {
  document.documentElement.style.setProperty('--header', `${header.element.offsetHeight}px`);
}).observe(header.element);
window.addEventListener('message', ({ data }) => {
  if (isToPage(data)) receive(data);
});
messages.onInput((key) => input.focus(key));
post({ type: 'ready' });
const kept = host.getState() as Kept | undefined;
tabs.showTools(null);
tabs.select(kept?.tab ?? 'prompt');
// Beside the prompt there is room for everything; above it the prompt comes first.
const isWide = window.matchMedia('(min-width: 860px)').matches;
input.box.open = kept?.isInputOpen ?? isWide;
facts.box.open = kept?.isFactsOpen ?? isWide;
input.box.addEventListener('toggle', () => keep({ isInputOpen: input.box.open }));
facts.box.addEventListener('toggle', () => keep({ isFactsOpen: facts.box.open }));
