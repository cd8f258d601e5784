import { t } from '../../page/l10n.js';
import './style.css';
import { byFrame, connect } from '../../page/connect.js';
import { button, element } from '../../page/page.js';
import { createTextLinks } from '../../page/textLinks.js';
import { duration, statusWord } from '../../page/words.js';
import { discardsText, type FromPage, type PanelState, type ToPage, type ViewEvent, type ViewFacts } from '../messages.js';
import { createApprovals } from './approvals.js';
import { createCourse } from './course.js';
import { createFields } from './fields.js';
import { createHeader } from './header.js';
import { createIssues } from './issues.js';
import { createLongText, type LongText } from './longText.js';
import { createSources } from './sources.js';
import { createStop } from './stop.js';
import { createTimeline } from './timeline.js';
import { createWholeTexts } from './wholeTexts.js';

const host = connect<FromPage, ToPage, PanelState>();
const { post } = host;

const status = element('p', { class: 'visually-hidden', role: 'status' });
const header = createHeader((action) => {
  post({ type: 'act', action });
  if (action === 'copy') status.textContent = t('Copied.');
  if (action === 'pause') status.textContent = t('Pausing before the next call...');
  if (action === 'cancel') status.textContent = t('Cancelling...');
});
const issues = createIssues(({ path, keyword }) => post({ type: 'openIssue', path, keyword }));
const links = createTextLinks(post);
const texts = createWholeTexts({ ask: (part) => post({ type: 'whole', part }), links });
const approvals = createApprovals((id, decision) => post({ type: 'decide', id, decision }));
const stop = createStop({
  act: (action) => post({ type: 'act', action }),
  edit: (part, text) => post({ type: 'edit', part, text }),
});
const answer = createFields({ verdicts: 'shown', links });
const answerText = element('div');
const noAnswer = element('p', { class: 'muted' });
const context = createFields({ links });
const sources = createSources(texts, (id) => post({ type: 'openSource', id }));
const input = createFields();
const noInput = element('p', { class: 'muted' }, t('No input.'));
const timeline = createTimeline(texts);
const course = createCourse();
const foldAll = (text: string, isOpen: boolean) => button({ class: 'link', onclick: () => timeline.fold(isOpen) }, text);
const folding = element('div', { class: 'folding', hidden: true }, foldAll(t('Unfold All'), true), ' ', foldAll(t('Fold All'), false));

const answerSection = section('answer', t('Answer'), answer.root, answerText, noAnswer);
const stepsSection = section('steps', t('Steps'), folding, timeline.root, course.root);
const noContext = element('p', { class: 'muted' }, t('Available once the run has ended.'));
const contextSection = section('context', t('Context at the end'), context.root, noContext);
// Shown with the first facts: until then every button would be there.
const page = element(
  'main',
  { hidden: true },
  header.root,
  status,
  approvals.root,
  stop.root,
  issues.root,
  answerSection,
  sources.root,
  stepsSection,
  contextSection,
  element('section', {}, element('details', {}, element('summary', {}, element('h2', {}, t('Input'))), input.root, noInput)),
);
document.body.append(page);

function section(name: string, title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('section', { 'aria-labelledby': `${name}-title` }, element('h2', { id: `${name}-title` }, title), ...content);
}

let facts: ViewFacts | undefined;
let shownAnswer: number | undefined;
/** The answer in text as it comes. */
let draft: LongText | undefined;

type RunMessage = Extract<ToPage, { type: 'show' | 'more' }>;
const wait = byFrame<RunMessage>(paint);
setInterval(header.tick, 1_000);
host.listen({
  show: wait,
  more: wait,
  whole: ({ part, text, more }) => texts.receive(part, text, more),
  files: ({ names, files }) => links.receive(names, files),
});

function paint(messages: readonly RunMessage[]): void {
  for (const message of messages) {
    if (message.type === 'show') {
      timeline.clear();
      texts.forget();
      links.forget();
      facts = undefined;
      shownAnswer = undefined;
      clearAnswer();
      status.textContent = '';
    }
    const { isText = false } = message.facts ?? facts ?? {};
    for (const event of message.events) {
      timeline.add(event);
      if (isText) write(event);
      if (message.type === 'more') announceEvent(event);
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
  stop.show(now.stop);
  issues.show(now);
  const isTeams = now.kind === 'orchestration';
  answerSection.hidden = isTeams;
  contextSection.hidden = !isTeams;
  const title = stepsSection.querySelector('h2');
  if (title !== null) title.textContent = isTeams ? t('Teams') : t('Steps');
  if (isTeams) {
    context.show(now.fields);
    noContext.hidden = now.fields.length > 0;
  } else answer.show(now.fields);
  showAnswer(now);
  sources.show(now);
  course.show(now);
  folding.hidden = timeline.stepCount < 2;
  noAnswer.hidden = now.fields.length > 0 || now.answer !== null || draft !== undefined;
  noAnswer.textContent = waitingWords(now);
  input.show(now.input);
  noInput.hidden = now.input.length > 0;
  host.keep({ run_id: now.run_id, root: now.root });
}

/** The text of an agent that has no fields to show. */
function showAnswer({ answer: now }: ViewFacts): void {
  const part = now?.part;
  if (part === shownAnswer) return;
  shownAnswer = part;
  clearAnswer();
  if (now !== null) answerText.append(texts.showRich(now, t('Answer')));
}

function clearAnswer(): void {
  answerText.replaceChildren();
  draft = undefined;
}

function write(event: ViewEvent): void {
  if (discardsText(event)) clearAnswer();
  if (event.type !== 'text') return;
  if (draft === undefined) {
    draft = createLongText(t('Answer'));
    draft.root.classList.add('prose');
    answerText.append(draft.root);
  }
  draft.append(event.text);
}

function waitingWords({ status, isText }: ViewFacts): string {
  if (status !== 'running') return t('There is no answer.');
  return isText ? t('Waiting for the model...') : t('No field of the answer is complete yet.');
}

/** Steps and calls are announced as they start; their results can be read. */
function announceEvent(event: ViewEvent): void {
  if (event.type === 'team') status.textContent = t('Team {0} has begun.', event.team);
  else if (event.type === 'task_end') status.textContent = t('Task {0} has ended: {1}.', event.place, statusWord(event.status));
  else if (event.type === 'step' && event.name !== null) status.textContent = t('Step {0}: {1}', event.step, event.name);
  else if (event.type === 'step' && event.step > 1) status.textContent = t('Step {0}', event.step);
  else if (event.type === 'tool_call') status.textContent = t('Calls {0}.', event.name);
  else if (event.type === 'tool_result' && event.isError) status.textContent = t('{0} has failed.', event.name);
}

/** A screen reader hears the state of the run, and how many fields have arrived, never the text as it streams. */
function announce(now: ViewFacts): void {
  const before = facts;
  const newApproval = now.approvals.find(({ id }) => !before?.approvals.some((earlier) => earlier.id === id));
  if (newApproval !== undefined) {
    status.textContent =
      newApproval.place === ''
        ? t('{0} waits for your approval.', newApproval.tool)
        : t('{0} in {1} waits for your approval.', newApproval.tool, newApproval.place);
    return;
  }
  if (now.stop !== null && now.stop.words !== before?.stop?.words) {
    status.textContent = `${now.stop.words}.`;
    return;
  }
  if (now.stop !== null && now.stop.problem !== before?.stop?.problem) {
    status.textContent = now.stop.problem;
    return;
  }
  if (before?.status === now.status) {
    if (now.status === 'running' && now.fields.length > before.fields.length)
      status.textContent = t('{0} fields so far.', now.fields.length);
    return;
  }
  if (now.status === 'running') status.textContent = t('{0} is running.', now.agent);
  else if (now.status === 'completed') status.textContent = t('Completed in {0}.', duration(now.duration_ms ?? 0));
  else if (now.status === 'partial') status.textContent = t('Partial: {0}', now.error?.message ?? '');
  else if (now.status === 'failed') status.textContent = t('Failed: {0}', now.error?.message ?? '');
  else if (now.status === 'cancelled') status.textContent = t('Cancelled.');
}
