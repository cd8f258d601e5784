import './style.css';
import { type HostMessage, isHostMessage, type PageMessage, type ViewFacts } from '../../views/run/messages.js';
import { connectHost, createWords, element } from '../page.js';
import { createFields } from './fields.js';
import { createHeader } from './header.js';
import { createIssues } from './issues.js';
import { createTimeline } from './timeline.js';
import { duration } from './words.js';

const host = connectHost();
const words = createWords();
const post = (message: PageMessage) => host.postMessage(message);

const status = element('p', { class: 'visually-hidden', role: 'status' });
const header = createHeader(words, (action) => {
  post({ type: action });
  if (action === 'copy') status.textContent = words('copied');
  if (action === 'cancel') status.textContent = words('cancelling');
});
const issues = createIssues(words, ({ path, keyword }) => post({ type: 'openIssue', path, keyword }));
const answer = createFields(words, true);
const noAnswer = element('p', { class: 'muted' });
const input = createFields(words, false);
const noInput = element('p', { class: 'muted' }, words('noInput'));
const timeline = createTimeline(words);

document.body.append(
  element(
    'main',
    {},
    header.root,
    status,
    issues.root,
    section('answer', answer.root, noAnswer),
    section('steps', timeline.root),
    element('section', {}, element('details', {}, element('summary', {}, element('h2', {}, words('input'))), input.root, noInput)),
  ),
);

function section(name: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('section', { 'aria-labelledby': `${name}-title` }, element('h2', { id: `${name}-title` }, words(name)), ...content);
}

let facts: ViewFacts | undefined;
let waiting: HostMessage[] = [];

// What arrives within a frame is shown at once, in one go.
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isHostMessage(data)) return;
  if (waiting.length === 0) requestAnimationFrame(paint);
  waiting.push(data);
});
setInterval(header.tick, 1_000);
post({ type: 'ready' });

function paint(): void {
  const messages = waiting;
  waiting = [];
  for (const message of messages) {
    if (message.type === 'show') {
      timeline.clear();
      facts = undefined;
      status.textContent = '';
    }
    for (const event of message.events) timeline.add(event);
  }
  const last = messages.at(-1);
  if (last === undefined) return;
  show(last.facts);
}

function show(now: ViewFacts): void {
  announce(now);
  facts = now;
  header.show(now, timeline.counts);
  issues.show(now);
  answer.show(now.fields);
  noAnswer.hidden = now.fields.length > 0;
  noAnswer.textContent = words(now.status === 'running' ? 'noFields' : 'noAnswer');
  input.show(now.input);
  noInput.hidden = now.input.length > 0;
  // What VS Code needs to bring the panel back after a restart; it holds nothing of the run itself.
  host.setState({ run_id: now.run_id, root: now.root });
}

/** A screen reader is told how the run stands, and how many fields have come, never the text as it streams. */
function announce(now: ViewFacts): void {
  const before = facts;
  if (before?.status === now.status) {
    if (now.status === 'running' && now.fields.length > before.fields.length)
      status.textContent = words('announceField', now.fields.length);
    return;
  }
  if (now.status === 'running') status.textContent = words('announceRunning', now.agent);
  else if (now.status === 'completed') status.textContent = words('announceCompleted', duration(now.duration_ms ?? 0));
  else if (now.status === 'failed') status.textContent = words('announceFailed', now.error?.message ?? '');
  else if (now.status === 'cancelled') status.textContent = words('announceCancelled');
}
