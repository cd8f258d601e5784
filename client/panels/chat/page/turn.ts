import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import type { TextLinks } from '../../page/textLinks.js';
import { count, dollars, duration } from '../../page/words.js';
import { type Decision, discardsText, type ViewEvent, type ViewFacts } from '../../run/messages.js';
import { type Approvals, createApprovals } from '../../run/page/approvals.js';
import { createFields } from '../../run/page/fields.js';
import { createFold } from '../../run/page/fold.js';
import { createIssues } from '../../run/page/issues.js';
import { createLongText, type LongText } from '../../run/page/longText.js';
import { needsKey } from '../../run/page/needsKey.js';
import { createToolCalls, retryWords } from '../../run/page/toolCall.js';
import { createWholeTexts } from '../../run/page/wholeTexts.js';
import type { ChatTurn } from '../messages.js';

/** A message and what came of it. */
export interface TurnView {
  readonly root: HTMLElement;
  readonly facts: ViewFacts;
  add(turn: ChatTurn): void;
  receive(part: number, text: string, more: number): void;
  /** While another message is sent, no turn can be edited. */
  setBusy(isBusy: boolean): void;
  setEdited(state: 'edited' | 'left' | 'kept'): void;
}

export interface TurnActions {
  edit(turn: TurnView): void;
  /** A button of the turn, by its name in a page message. */
  act(type: 'openRun' | 'copyAnswer' | 'saveCase' | 'setKey', turn: number): void;
  whole(turn: number, part: number): void;
  decide(id: number, decision: Decision): void;
  readonly links: TextLinks;
}

/** @param number of the turn in the conversation, from 1 */
export function createTurn({ id, facts: first }: ChatTurn, number: number, actions: TurnActions): TurnView {
  const texts = createWholeTexts({ ask: (part) => actions.whole(id, part), links: actions.links });
  const question = element('div', { class: 'asked' });
  const work = element('div', { class: 'work' });
  const approvals: Approvals = createApprovals(actions.decide);
  const fields = createFields({ verdicts: 'shown', links: actions.links });
  const answer = element('div', { class: 'answer' });
  const issues = createIssues(() => undefined);
  const spent = element('span', { class: 'muted spent' });
  const link = (text: string, onclick: () => void) =>
    button({ class: 'link', 'aria-label': `${text}, ${t('Turn {0}', number)}`, onclick }, text);
  const edit = link(t('Edit and Ask Again'), () => actions.edit(view));
  const copy = link(t('Copy Answer'), () => actions.act('copyAnswer', id));
  const save = link(t('Save as Case'), () => actions.act('saveCase', id));
  const open = link(t('Open Run'), () => actions.act('openRun', id));
  const setKey = link(t('Set API Key...'), () => actions.act('setKey', id));
  const title = element('h2', { id: `turn${id}`, class: 'visually-hidden' }, t('Turn {0}', number));
  const root = element(
    'li',
    { class: 'turn', 'aria-labelledby': title.id },
    title,
    element('div', { class: 'said by-user' }, element('h3', {}, t('You')), question),
    element('div', { class: 'said by-agent' }, element('h3', {}, first.agent), work, approvals.root, fields.root, answer, issues.root),
    element('div', { class: 'turn-actions' }, edit, copy, save, open, setKey, spent),
  );
  const calls = createToolCalls(texts);
  /** The text that still grows; anything else that happens ends it. */
  let growing: LongText | undefined;
  let growingThought: LongText | undefined;
  let shownAnswer: number | undefined;
  let facts = first;
  let shownInput = '';
  let isBusy = false;

  function happen(event: ViewEvent): void {
    if (event.type === 'text') {
      if (growing === undefined) {
        growing = createLongText(t('Text from the model'));
        growing.root.classList.add('prose');
        work.append(growing.root);
      }
      growing.append(event.text);
      return;
    }
    if (event.type === 'thinking') {
      if (growingThought === undefined) {
        const thought = createLongText(t('Thought'));
        work.append(createFold('fold thought', [t('Thought')], (body) => body.append(thought.root)).root);
        growingThought = thought;
      }
      growingThought.append(event.text);
      return;
    }
    if (discardsText(event)) {
      // What came before a call or another step is still read, unlike a half of what comes again.
      if (event.type === 'retry') growing?.root.remove();
      if (event.type !== 'tool_call') growingThought = undefined;
      growing = undefined;
    }
    if (event.type === 'tool_call') work.append(calls.add(event).root);
    else if (event.type === 'tool_result') calls.answer(event);
    else if (event.type === 'retry') work.append(element('p', { class: 'warning' }, retryWords(event)));
    else if (event.type === 'step_end' && event.isCorrection)
      work.append(element('p', { class: 'warning' }, t('the answer was not accepted')));
  }

  function show(now: ViewFacts): void {
    facts = now;
    const input = JSON.stringify(now.input);
    if (input !== shownInput) {
      shownInput = input;
      question.replaceChildren(...askedNodes(now));
    }
    const isRunning = now.status === 'running';
    root.setAttribute('aria-busy', String(isRunning));
    root.dataset.state = now.status;
    if (!isRunning) calls.end();
    approvals.show(now.approvals);
    fields.show(now.fields);
    issues.show(now);
    // Where the answer would be, the page says that it was stopped.
    issues.root.hidden = now.status === 'cancelled';
    // The streamed text is the answer itself, which is formatted once it is complete.
    if (growing !== undefined) growing.root.hidden = now.fields.length > 0 || now.answer !== null;
    showAnswer(now);
    copy.hidden = isRunning || (now.answer === null && now.fields.length === 0);
    open.hidden = !now.isKept || now.run_id === null;
    save.hidden = isRunning || open.hidden;
    setKey.hidden = !needsKey(now);
    edit.hidden = isRunning;
    edit.disabled = isBusy;
    spent.textContent = isRunning ? '' : spentWords(now);
  }

  function showAnswer({ answer: now, status }: ViewFacts): void {
    if (now?.part === shownAnswer && now !== null) return;
    shownAnswer = now?.part;
    if (now !== null) {
      const text = texts.showRich(now, t('Answer'));
      for (const long of text.querySelectorAll('.long-text')) long.classList.add('prose');
      answer.replaceChildren(text);
    } else if (status === 'running' && growing === undefined && facts.fields.length === 0) {
      answer.replaceChildren(element('p', { class: 'muted waiting-line' }, t('Waiting for the model...')));
    } else if (status === 'cancelled') answer.replaceChildren(element('p', { class: 'muted' }, t('Stopped.')));
    else answer.replaceChildren();
  }

  function spentWords({ tokens, cost, duration_ms, simulated }: ViewFacts): string {
    const used = [
      tokens === null ? undefined : t('{0} in, {1} out', count(tokens.prompt), count(tokens.completion)),
      simulated ? t('Simulated') : cost === null ? undefined : dollars(cost),
    ];
    const text = used.filter((part) => part !== undefined).join(' · ');
    const parts = [tokens?.isIncomplete ? t('at least {0}', text) : text, duration_ms === null ? '' : duration(duration_ms)];
    return parts.filter((part) => part !== '').join(' · ');
  }

  const view: TurnView = {
    root,
    get facts() {
      return facts;
    },
    add(turn) {
      for (const event of turn.events) happen(event);
      show(turn.facts);
    },
    receive: texts.receive,
    setBusy(now) {
      isBusy = now;
      edit.disabled = now;
    },
    setEdited(state) {
      root.classList.toggle('is-edited', state === 'edited');
      root.classList.toggle('is-left', state !== 'kept');
    },
  };
  return view;
}

/** A single text unchanged, several with their names. */
function askedNodes({ input }: ViewFacts): readonly HTMLElement[] {
  const [only] = input;
  if (only !== undefined && input.length === 1 && !only.isJson) return [element('div', { class: 'value' }, only.text)];
  return input.map(({ name, text, isJson }) =>
    element('div', {}, element('span', { class: 'muted' }, `${name} `), element('span', { class: isJson ? 'value mono' : 'value' }, text)),
  );
}
