import './style.css';
import { connectHost, createWords, element } from '../../panels/page/page.js';
import { type ChatFacts, type ChatHostMessage, type ChatPageMessage, isChatHostMessage } from '../../views/chat/messages.js';
import type { ViewFacts } from '../../views/run/messages.js';
import { writeGrownTexts } from '../run/growText.js';
import { count, dollars } from '../run/words.js';
import { createComposer } from './composer.js';
import { createTurn, type TurnView } from './turn.js';

const host = connectHost();
const words = createWords();
const post = (message: ChatPageMessage) => host.postMessage(message);

/** Characters of an answer that a screen reader is told unasked. */
const mostTold = 300;

const status = element('p', { class: 'visually-hidden', role: 'status' });
const name = element('h1');
const profile = element('span', { class: 'badge', hidden: true });
const totals = element('p', { class: 'totals muted', 'aria-label': words('totalLabel') });
const button = (word: string, onclick: () => void) => element('button', { type: 'button', class: 'secondary', onclick }, words(word));
const newConversation = button('newConversation', () => post({ type: 'newConversation' }));
const copy = button('copyConversation', () => {
  post({ type: 'copy' });
  status.textContent = words('copied');
});
const empty = element('p', { class: 'muted empty' }, words('empty'));
const list = element('ol', { class: 'turns', 'aria-label': words('conversation') });
const editing = element('p', { class: 'editing', hidden: true });
const composer = createComposer(words, {
  send(values) {
    post({ type: 'send', values, from: edited ?? null });
  },
  stop: () => post({ type: 'stop' }),
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
  element('div', { class: 'toolbar', role: 'group', 'aria-label': words('actions') }, newConversation, copy),
  totals,
);
document.body.append(element('main', {}, header, status, empty, list, element('div', { class: 'bottom' }, editing, composer.root)));

let chat: ChatFacts | undefined;
/** By the number of the host, in the order of the conversation. */
let turns = new Map<number, TurnView>();
/** The turn that is edited. */
let edited: number | undefined;
let waiting: ChatHostMessage[] = [];
let hasShown = false;

// What arrives within a frame is shown at once, in one go.
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isChatHostMessage(data)) return;
  if (waiting.length === 0) requestAnimationFrame(paint);
  waiting.push(data);
});
post({ type: 'ready' });

function paint(): void {
  const messages = waiting;
  waiting = [];
  const isAtEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 40;
  const before = new Map([...turns].map(([id, { facts }]) => [id, facts]));
  const count = turns.size;
  for (const message of messages) take(message);
  if (chat !== undefined && !hasShown) composer.restore(draft());
  if (chat !== undefined) showChat(chat);
  writeGrownTexts();
  // Keep the position of a reader who has scrolled back.
  if (isAtEnd || turns.size > count) window.scrollTo({ top: document.body.scrollHeight });
  tell(before);
  if (!hasShown && chat !== undefined) {
    hasShown = true;
    composer.focus();
  }
}

function take(message: ChatHostMessage): void {
  if (message.type === 'whole') {
    turns.get(message.turn)?.receive(message.part, message.text, message.more);
    return;
  }
  const isSent = chat?.isPreparing === true && !message.chat.isPreparing && message.type === 'show';
  chat = message.chat;
  composer.show(chat.agent, chat.fields);
  if (message.type === 'refused') composer.tell(message.message);
  else if (message.type === 'more') {
    // A turn that is not there belongs to the conversation before.
    turns.get(message.turn.id)?.add(message.turn);
  } else if (message.type === 'show') {
    if (isSent) {
      composer.clear();
      edit();
    }
    const kept = new Map<number, TurnView>();
    for (const turn of message.turns) {
      const view = createTurn(turn, kept.size + 1, words, {
        edit: (one) => edit(turn.id, one),
        act: (type, id) => {
          post({ type, turn: id });
          if (type === 'copyAnswer') status.textContent = words('copied');
        },
        whole: (id, part) => post({ type: 'whole', turn: id, part }),
        decide: (id, decision) => post({ type: 'decide', id, decision }),
        openLink: (address) => post({ type: 'openLink', address }),
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

/** What VS Code needs to bring the panel back after a restart, and what is typed: a hidden page is thrown away. */
function keepState(): void {
  if (chat === undefined) return;
  const { root, agent, version, profile: llm, session } = chat;
  host.setState({ root, agent, version, profile: llm, session, draft: composer.values() });
}

function draft(): Readonly<Record<string, string>> {
  const state = host.getState();
  if (typeof state !== 'object' || state === null || !('draft' in state)) return {};
  return typeof state.draft === 'object' && state.draft !== null ? (state.draft as Readonly<Record<string, string>>) : {};
}

function totalWords({ totals: { prompt, completion, cost, isWhole, isSimulated } }: ChatFacts): string {
  if (isSimulated) return words('totalSimulated');
  if (cost === null) return words('totalUnpriced', count(prompt), count(completion));
  return words(isWhole ? 'total' : 'totalAtLeast', count(prompt), count(completion), dollars(cost));
}

/** Begins to edit a turn; without one, ends it. */
function edit(id?: number, turn?: TurnView): void {
  const wasEdited = edited !== undefined;
  edited = turn === undefined ? undefined : id;
  let isAfter = false;
  let number = 0;
  for (const [one, view] of turns) {
    if (!isAfter) number += 1;
    if (one === edited) isAfter = true;
    view.setEdited(one === edited ? 'edited' : isAfter ? 'left' : 'kept');
  }
  editing.hidden = edited === undefined;
  if (edited === undefined) {
    if (wasEdited) composer.clear();
    return;
  }
  const cancel = element('button', { type: 'button', class: 'link', onclick: () => edit() }, words('cancelEdit'));
  editing.replaceChildren(words('editing', number), ' ', cancel);
  if (turn !== undefined) composer.fill(turn.facts.input);
  composer.focus();
}

/** A screen reader is told that an answer is on its way, what it is, and what waits for an approval: never the text as it streams. */
function tell(before: ReadonlyMap<number, ViewFacts>): void {
  for (const [id, { facts }] of turns) {
    const was = before.get(id);
    const asked = facts.approvals.find((one) => !was?.approvals.some((known) => known.id === one.id));
    if (asked !== undefined) status.textContent = words('announceApproval', asked.tool);
    else if (facts.status === 'running' && was === undefined) status.textContent = words('answering', facts.agent);
    else if (was?.status === 'running' && facts.status !== 'running') status.textContent = endWords(facts);
  }
}

function endWords(facts: ViewFacts): string {
  if (facts.status === 'cancelled') return words('stopped');
  if (facts.error !== null) return words('announceFailed', facts.error.message);
  const text = facts.answer?.text ?? facts.answer?.excerpt ?? facts.fields.map((field) => `${field.name}: ${field.text}`).join('. ');
  return words('answered', facts.agent, text.length > mostTold ? `${text.slice(0, mostTold)}…` : text);
}
