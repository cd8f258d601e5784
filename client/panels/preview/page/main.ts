import './style.css';
import { connect } from '../../page/connect.js';
import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import type { FromPage, PanelState, Tab, ToPage } from '../messages.js';
import { createFacts } from './facts.js';
import { createHeader } from './header.js';
import { createInput } from './input.js';
import { createMessages } from './messagesView.js';
import { createProblems } from './problems.js';
import { createTabs } from './tabs.js';

/** Kept over a reload, and while the page is hidden. */
interface Kept extends PanelState {
  readonly tab?: Tab;
  readonly isInputOpen?: boolean;
  readonly isFactsOpen?: boolean;
}

const host = connect<FromPage, ToPage, Kept>();
const { post, keep } = host;

const header = createHeader(post);
const problems = createProblems(post, (isStale) => body.classList.toggle('is-stale', isStale));
const facts = createFacts(post);
const input = createInput(post);
const messages = createMessages(post);
const tabs = createTabs(post, messages.element, (tab) => keep({ tab }));
const start = element('p', { class: 'start muted' }, t('Composing...'));
const side = element('aside', { class: 'side' }, facts.element, input.box);
const main = element('main', { class: 'main' }, tabs.element);
const body = element('div', { class: 'body', hidden: true }, side, main);
header.element.append(problems.element);
document.body.append(header.element, start, body, messages.origin);

// What is scrolled into view must not be hidden by the header, which has more lines in a narrow panel.
new ResizeObserver(() => {
  document.documentElement.style.setProperty('--header', `${header.element.offsetHeight}px`);
}).observe(header.element);
messages.onInput((key) => input.focus(key));
host.listen({
  nothing() {
    start.textContent = t('Open an agent file to see its prompt.');
    start.hidden = false;
    body.hidden = true;
  },
  agent(message) {
    keep(message.state);
    if (header.show(message) === 'other') problems.restart();
    start.hidden = true;
    body.hidden = false;
  },
  prompt(message) {
    messages.apply(message);
    facts.element.hidden = message.messages.length === 0;
    // What is drawn can be measured: the first frame after it is painted.
    requestAnimationFrame(() => post({ type: 'painted', version: message.version }));
  },
  format: ({ format }) => tabs.showFormat(format),
  tools: (message) => tabs.showTools(message.tools),
  stale: problems.showStale,
  problems(message) {
    problems.show(message.problems);
    input.showIssues(message.problems.issues);
  },
  facts(message) {
    facts.show(message.facts);
    messages.showTokens(message.facts.tokens);
  },
  input: input.show,
  profiles: header.showProfiles,
  lit: messages.light,
  request: ({ request }) => tabs.showRequest(request),
});
const kept = host.state();
tabs.showTools(null);
tabs.select(kept.tab ?? 'prompt');
// Beside the prompt there is room for everything; above it the prompt comes first.
const isWide = window.matchMedia('(min-width: 860px)').matches;
input.box.open = kept.isInputOpen ?? isWide;
facts.box.open = kept.isFactsOpen ?? isWide;
input.box.addEventListener('toggle', () => keep({ isInputOpen: input.box.open }));
facts.box.addEventListener('toggle', () => keep({ isFactsOpen: facts.box.open }));
