import './style.css';
import { connectHost, createWords, element } from '../../panels/page/page.js';
import { type HostMessage, isHostMessage, type PageMessage, type ViewEvent, type ViewFacts } from '../../views/run/messages.js';
import { createApprovals } from './approvals.js';
import { createCourse } from './course.js';
import { createFields } from './fields.js';
import { createHeader } from './header.js';
import { createIssues } from './issues.js';
import { createSources } from './sources.js';
import { createTimeline } from './timeline.js';
import { createWholeTexts } from './wholeTexts.js';
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
const openLink = (address: string) => post({ type: 'openLink', address });
const texts = createWholeTexts(words, { ask: (part) => post({ type: 'whole', part }), openLink });
const approvals = createApprovals(words, (id, decision) => post({ type: 'decide', id, decision }));
const answer = createFields(words, { verdicts: 'shown', openLink });
const answerText = element('div');
const noAnswer = element('p', { class: 'muted' });
const context = createFields(words, { openLink });
const sources = createSources(words, texts, (id) => post({ type: 'openSource', id }));
const input = createFields(words);
const noInput = element('p', { class: 'muted' }, words('noInput'));
const timeline = createTimeline(words, texts);
const course = createCourse(words);
const foldAll = (word: string, isOpen: boolean) =>
  element('button', { type: 'button', class: 'link', onclick: () => timeline.fold(isOpen) }, words(word));
const folding = element('div', { class: 'folding', hidden: true }, foldAll('unfoldAll', true), ' ', foldAll('foldAll', false));

const answerSection = section('answer', answer.root, answerText, noAnswer);
const stepsSection = section('steps', folding, timeline.root, course.root);
const noContext = element('p', { class: 'muted' }, words('noContext'));
const contextSection = section('context', context.root, noContext);
// Shown with the first facts: until then every button would be there.
const page = element(
  'main',
  { hidden: true },
  header.root,
  status,
  approvals.root,
  issues.root,
  answerSection,
  sources.root,
  stepsSection,
  contextSection,
  element('section', {}, element('details', {}, element('summary', {}, element('h2', {}, words('input'))), input.root, noInput)),
);
document.body.append(page);

function section(name: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('section', { 'aria-labelledby': `${name}-title` }, element('h2', { id: `${name}-title` }, words(name)), ...content);
}

let facts: ViewFacts | undefined;
let shownAnswer: number | undefined;
let waiting: Exclude<HostMessage, { type: 'whole' }>[] = [];

// What arrives within a frame is shown at once, in one go.
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isHostMessage(data)) return;
  if (data.type === 'whole') {
    texts.receive(data.part, data.text, data.more);
    return;
  }
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
      texts.forget();
      facts = undefined;
      shownAnswer = undefined;
      answerText.replaceChildren();
      status.textContent = '';
    }
    for (const event of message.events) {
      timeline.add(event);
      if (message.type === 'more') tellEvent(event);
    }
  }
  const now = messages.findLast((message) => message.facts !== undefined)?.facts ?? facts;
  if (now !== undefined) show(now);
}

function show(now: ViewFacts): void {
  page.hidden = false;
  announce(now);
  facts = now;
  if (now.status !== 'running') timeline.end();
  header.show(now);
  approvals.show(now.approvals);
  issues.show(now);
  const isTeams = now.kind === 'orchestration';
  answerSection.hidden = isTeams;
  contextSection.hidden = !isTeams;
  const title = stepsSection.querySelector('h2');
  if (title !== null) title.textContent = words(isTeams ? 'teams' : 'steps');
  if (isTeams) {
    context.show(now.fields);
    noContext.hidden = now.fields.length > 0;
  } else answer.show(now.fields);
  showAnswer(now);
  sources.show(now);
  course.show(now);
  folding.hidden = timeline.stepCount < 2;
  noAnswer.hidden = now.fields.length > 0 || now.answer !== null;
  noAnswer.textContent = words(now.status === 'running' ? 'noFields' : 'noAnswer');
  input.show(now.input);
  noInput.hidden = now.input.length > 0;
  // What VS Code needs to bring the panel back after a restart; it holds nothing of the run itself.
  host.setState({ run_id: now.run_id, root: now.root });
}

/** The text of an agent that has no fields to show. */
function showAnswer({ answer: now }: ViewFacts): void {
  const part = now?.part;
  if (part === shownAnswer) return;
  shownAnswer = part;
  answerText.replaceChildren(...(now === null ? [] : [texts.showRich(now, words('answer'))]));
}

/** Steps and calls are told as they begin; what they bring is there to be read. */
function tellEvent(event: ViewEvent): void {
  if (event.type === 'team') status.textContent = words('announceTeam', event.team);
  else if (event.type === 'task_end') status.textContent = words('announceTask', event.place, words(event.status));
  else if (event.type === 'step' && event.name !== null) status.textContent = words('planStep', event.step, event.name);
  else if (event.type === 'step' && event.step > 1) status.textContent = words('step', event.step);
  else if (event.type === 'tool_call') status.textContent = words('announceCall', event.name);
  else if (event.type === 'tool_result' && event.isError) status.textContent = words('announceCallFailed', event.name);
}

/** A screen reader is told how the run stands, and how many fields have come, never the text as it streams. */
function announce(now: ViewFacts): void {
  const before = facts;
  const asked = now.approvals.find(({ id }) => !before?.approvals.some((known) => known.id === id));
  if (asked !== undefined) {
    status.textContent = asked.place === '' ? words('announceApproval', asked.tool) : words('announceApprovalIn', asked.tool, asked.place);
    return;
  }
  if (before?.status === now.status) {
    if (now.status === 'running' && now.fields.length > before.fields.length)
      status.textContent = words('announceField', now.fields.length);
    return;
  }
  if (now.status === 'running') status.textContent = words('announceRunning', now.agent);
  else if (now.status === 'completed') status.textContent = words('announceCompleted', duration(now.duration_ms ?? 0));
  else if (now.status === 'partial') status.textContent = words('announcePartial', now.error?.message ?? '');
  else if (now.status === 'failed') status.textContent = words('announceFailed', now.error?.message ?? '');
  else if (now.status === 'cancelled') status.textContent = words('announceCancelled');
}
