import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import type { ViewFacts } from '../../run/messages.js';
import type { ChatField } from '../messages.js';

/** Where messages are written: a box for each field of the input. */
export interface Composer {
  readonly root: HTMLElement;
  show(agent: string, fields: readonly ChatField[]): void;
  setState(state: 'idle' | 'preparing' | 'running'): void;
  /** Puts the input of a turn into the boxes. */
  fill(input: ViewFacts['input']): void;
  clear(): void;
  values(): Readonly<Record<string, string>>;
  /** Puts back what was typed before the page was thrown away. */
  restore(values: Readonly<Record<string, unknown>>): void;
  tell(message: string): void;
  focus(): void;
}

interface Actions {
  send(values: Readonly<Record<string, string>>): void;
  stop(): void;
  /** The up arrow in an empty box. */
  editLast(): void;
  cancelEdit(): void;
  typed(): void;
}

export function createComposer({ send, stop, editLast, cancelEdit, typed }: Actions): Composer {
  const boxes = new Map<string, HTMLTextAreaElement>();
  const list = element('div', { class: 'boxes' });
  const problem = element('p', { class: 'refused', role: 'alert' });
  const sendButton = element('button', { type: 'submit', class: 'primary' }, t('Send'));
  const stopButton = button({ class: 'secondary', hidden: true, onclick: stop }, t('Stop'));
  const state = element('span', { class: 'muted' });
  const hint = element('span', { class: 'muted hint', id: 'message-hint' }, t('Enter sends, Shift+Enter begins a new line.'));
  const root = element(
    'form',
    { class: 'composer', onsubmit: submit },
    list,
    problem,
    element('div', { class: 'toolbar' }, sendButton, stopButton, state, hint),
  );
  let shownText = '';

  function submit(event: Event): void {
    event.preventDefault();
    if (sendButton.disabled) return;
    problem.textContent = '';
    send(values());
  }

  function values(): Readonly<Record<string, string>> {
    return Object.fromEntries([...boxes].map(([key, box]) => [key, box.value]));
  }

  function isEmpty(): boolean {
    return [...boxes.values()].every(({ value }) => value === '');
  }

  function pressed(event: Event): void {
    if (!(event instanceof KeyboardEvent)) return;
    // Text in an input method is not sent while it is being composed.
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) submit(event);
    else if (event.key === 'ArrowUp' && isEmpty()) editLast();
    else if (event.key === 'Escape') cancelEdit();
  }

  function grow(box: HTMLTextAreaElement): void {
    box.rows = Math.min(12, Math.max(1, box.value.split('\n').length));
  }

  return {
    root,
    show(agent, fields) {
      const key = JSON.stringify([agent, fields]);
      if (key === shownText) return;
      shownText = key;
      boxes.clear();
      list.replaceChildren(
        ...fields.map(({ key: name, description, isRequired, kind }, at) => {
          const label = name === '' ? t('Message to {0}', agent) : name;
          const box = element('textarea', {
            id: `box${at}`,
            rows: 1,
            'aria-describedby': 'message-hint',
            placeholder: name === '' ? label : description,
            class: kind === 'json' ? 'mono' : undefined,
            onkeydown: pressed,
            oninput: () => {
              grow(box);
              typed();
            },
          });
          boxes.set(name, box);
          const notes = [isRequired ? undefined : t('optional'), kind === 'json' ? t('JSON') : undefined];
          const note = notes.filter((each) => each !== undefined).join(', ');
          return element(
            'div',
            { class: 'box' },
            element('label', { for: box.id, class: name === '' ? 'visually-hidden' : '', title: description }, label),
            ...(note === '' ? [] : [element('span', { class: 'muted' }, ` ${note}`)]),
            box,
          );
        }),
      );
    },
    setState(now) {
      const hadFocus = document.activeElement;
      sendButton.disabled = now !== 'idle';
      sendButton.hidden = now === 'running';
      stopButton.hidden = now !== 'running';
      state.textContent = now === 'preparing' ? t('Checking the agent...') : '';
      // When a focused button disappears, the focus moves to the box.
      if ((hadFocus === stopButton && now !== 'running') || (hadFocus === sendButton && now === 'running'))
        boxes.values().next().value?.focus();
    },
    fill(input) {
      const isFree = boxes.size === 1 && boxes.has('');
      for (const [key, box] of boxes) {
        const text = isFree ? freeText(input) : (input.find(({ name }) => name === key)?.text ?? '');
        box.value = text;
        grow(box);
      }
    },
    clear() {
      for (const box of boxes.values()) {
        box.value = '';
        grow(box);
      }
    },
    values,
    restore(before) {
      for (const [key, box] of boxes) {
        const value = before[key];
        if (typeof value === 'string') box.value = value;
        grow(box);
      }
    },
    tell(message) {
      problem.textContent = message;
    },
    focus: () => boxes.values().next().value?.focus(),
  };
}

/** The input of an agent that takes a free message, as typed: a message or an object. */
function freeText(input: ViewFacts['input']): string {
  const [only] = input;
  if (input.length === 0) return '';
  if (input.length === 1 && only?.name === 'message' && !only.isJson) return only.text;
  const members = input.map(({ name, text, isJson }) => `${JSON.stringify(name)}: ${isJson ? text : JSON.stringify(text)}`);
  return `{ ${members.join(', ')} }`;
}
