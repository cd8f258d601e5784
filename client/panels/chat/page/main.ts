import { shorten } from '../../../../core/words.js';
import { t } from '../../page/l10n.js';
import './style.css';
import type { FilesToPage } from '../../linkMessages.js';
import { byFrame, connect } from '../../page/connect.js';
import { button, element } from '../../page/page.js';
import { createTextLinks } from '../../page/textLinks.js';
import { count, dollars } from '../../page/words.js';
import type { ViewFacts } from '../../run/messages.js';
import { writeGrownTexts } from '../../run/page/growText.js';
import type { ChatFacts, FromPage, PanelState, ToPage } from '../messages.js';
import { createComposer } from './composer.js';
import { createTurn, type TurnView } from './turn.js';

const host = connect<FromPage, ToPage, PanelState>();
const { post } = host;
const links = createTextLinks(post);

/** Characters of an answer that a screen reader hears unasked. */
const mostAnnounced = 300;

const status = element('p', { class: 'visually-hidden', role: 'status' });
const name = element('h1');
const profile = element('span', { class: 'badge', hidden: true });
const totals = element('p', { class: 'totals muted', 'aria-label': t('The conversation so far') });
const action = (text: string, onclick: () => void) => button({ class: 'secondary', onclick }, text);
const newConversation = action(t('New Conversation'), () => post({ type: 'act', action: 'newConversation' }));
const copy = action(t('Copy Conversation'), () => {
  post({ type: 'act', action: 'copy' });
  status.textContent = t('Copied.');
});
const empty = element('p', { class: 'muted empty' }, t('Write a message to begin the conversation.'));
const list = element('ol', { class: 'turns', 'aria-label': t('Conversation') });
const editing = element('p', { class: 'editing', hidden: true });
const composer = createComposer({
  send(values) {
    post({ type: 'send', values, from: edited ?? null });
  },
  stop: () => post({ type: 'act', action: 'stop' }),
  editLast() {
    const last = [...turns].at(-1);
    if (last !== undefined && chat?.isPreparing === false) edit(...last);
  },
  cancelEdit: () => edit(),
  typed: keepState,
});
const header = element(
  'header',
  {},
  element('div', { class: 'title' }, name, profile),
  element('div', { class: 'toolbar', role: 'group', 'aria-label': t('Actions') }, newConversation, copy),
  totals,
);
document.body.append(element('main', {}, header, status, empty, list, element('div', { class: 'bottom' }, editing, composer.root)));

let chat: ChatFacts | undefined;
/** By the number of the host, in the order of the conversation. */
let turns = new Map<number, TurnView>();
/** The turn that is edited. */
let edited: number | undefined;
let hasShown = false;

type ChatMessage = Exclude<ToPage, FilesToPage>;
const wait = byFrame<ChatMessage>(paint);
host.listen({ show: wait, more: wait, chat: wait, refused: wait, whole: wait, files: ({ names, files }) => links.receive(names, files) });

function paint(messages: readonly ChatMessage[]): void {
  const isAtEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 40;
  const before = new Map([...turns].map(([id, { facts }]) => [id, facts]));
  const count = turns.size;
  for (const message of messages) take(message);
  if (chat !== undefined && !hasShown) composer.restore(host.state().draft ?? {});
  if (chat !== undefined) showChat(chat);
  writeGrownTexts();
  // Keep the position of a reader who has scrolled back.
  if (isAtEnd || turns.size > count) window.scrollTo({ top: document.body.scrollHeight });
  announce(before);
  if (!hasShown && chat !== undefined) {
    hasShown = true;
    composer.focus();
  }
}

function take(message: ChatMessage): void {
  if (message.type === 'whole') {
    turns.get(message.turn)?.receive(message.part, message.text, message.more);
    return;
  }
  const isSent = chat?.isPreparing === true && !message.chat.isPreparing && message.type === 'show';
  chat = message.chat;
  composer.show(chat.agent, chat.fields);
  if (message.type === 'refused') composer.tell(message.message);
  else if (message.type === 'more') {
    // A turn that does not exist belongs to the previous conversation.
    turns.get(message.turn.id)?.add(message.turn);
  } else if (message.type === 'show') {
    links.forget();
    if (isSent) {
      composer.clear();
      edit();
    }
    const kept = new Map<number, TurnView>();
    for (const turn of message.turns) {
      const view = createTurn(turn, kept.size + 1, {
        edit: (newText) => edit(turn.id, newText),
        act: (type, id) => {
          post(type === 'setKey' ? { type } : { type, turn: id });
          if (type === 'copyAnswer') status.textContent = t('Copied.');
        },
        whole: (id, part) => post({ type: 'whole', turn: id, part }),
        decide: (id, decision) => post({ type: 'decide', id, decision }),
        links,
      });
      view.add(turn);
      kept.set(turn.id, view);
    }
    turns = kept;
    edit(edited, edited === undefined ? undefined : turns.get(edited));
    list.replaceChildren(...[...turns.values()].map(({ root }) => root));
  }
}

function showChat(now: ChatFacts): void {
  name.textContent = `${now.agent}@${now.version}`;
  profile.hidden = now.profile === null;
  profile.textContent = now.profile;
  const isRunning = [...turns.values()].some(({ facts }) => facts.status === 'running');
  const isBusy = isRunning || now.isPreparing;
  composer.setState(isRunning ? 'running' : now.isPreparing ? 'preparing' : 'idle');
  for (const turn of turns.values()) turn.setBusy(isBusy);
  newConversation.disabled = isBusy || turns.size === 0;
  copy.disabled = turns.size === 0;
  empty.hidden = turns.size > 0;
  totals.textContent = turns.size === 0 ? '' : totalWords(now);
  keepState();
}

function keepState(): void {
  if (chat === undefined) return;
  const { root, agent, version, profile, session } = chat;
  host.keep({ root, agent, version, profile, session, draft: composer.values() });
}

function totalWords({ totals: { prompt, completion, cost, isWhole, isSimulated } }: ChatFacts): string {
  if (isSimulated) return t('simulated: no model was asked');
  if (cost === null) return t('{0} in, {1} out, price not known', count(prompt), count(completion));
  const [sent, received, paid] = [count(prompt), count(completion), dollars(cost)];
  return isWhole ? t('{0} in, {1} out, {2}', sent, received, paid) : t('at least {0} in, {1} out, {2}', sent, received, paid);
}

/** Begins to edit a turn; without one, ends it. */
function edit(id?: number, turn?: TurnView): void {
  const wasEdited = edited !== undefined;
  edited = turn === undefined ? undefined : id;
  let isAfter = false;
  let number = 0;
  for (const [turnId, view] of turns) {
    if (!isAfter) number += 1;
    if (turnId === edited) isAfter = true;
    view.setEdited(turnId === edited ? 'edited' : isAfter ? 'left' : 'kept');
  }
  editing.hidden = edited === undefined;
  if (edited === undefined) {
    if (wasEdited) composer.clear();
    return;
  }
  const cancel = button({ class: 'link', onclick: () => edit() }, t('Keep as It Was'));
  editing.replaceChildren(
    t('You are editing turn {0}: the conversation continues from there, without the turns after it. They stay in the history.', number),
    ' ',
    cancel,
  );
  if (turn !== undefined) composer.fill(turn.facts.input);
  composer.focus();
}

/** A screen reader hears that an answer is on its way, what it is, and what waits for an approval: never the text as it streams. */
function announce(before: ReadonlyMap<number, ViewFacts>): void {
  for (const [id, { facts }] of turns) {
    const was = before.get(id);
    const newApproval = facts.approvals.find((one) => !was?.approvals.some((earlier) => earlier.id === one.id));
    if (newApproval !== undefined) status.textContent = t('{0} waits for your approval.', newApproval.tool);
    else if (facts.status === 'running' && was === undefined) status.textContent = t('{0} is answering.', facts.agent);
    else if (was?.status === 'running' && facts.status !== 'running') status.textContent = endWords(facts);
  }
}

function endWords(facts: ViewFacts): string {
  if (facts.status === 'cancelled') return t('Stopped.');
  if (facts.error !== null) return t('Failed: {0}', facts.error.message);
  const text = facts.answer?.text ?? facts.answer?.excerpt ?? facts.fields.map((field) => `${field.name}: ${field.text}`).join('. ');
  return t('{0} has answered: {1}', facts.agent, shorten(text, mostAnnounced));
}
