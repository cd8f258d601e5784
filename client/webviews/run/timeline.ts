import type { ViewEvent } from '../../views/run/messages.js';
import { element } from '../page.js';
import { createLongText, type LongText } from './longText.js';
import { count, duration, type Words } from './words.js';

/** The steps of a run, each with what happened in it, in order. Knows no kind of agent: it shows what is told. */
export interface Timeline {
  readonly root: HTMLElement;
  add(event: ViewEvent): void;
  clear(): void;
  readonly counts: { readonly retries: number; readonly repairs: number };
}

interface Step {
  readonly body: HTMLElement;
  readonly tokens: HTMLElement;
  /** The text that still grows; anything else that happens ends it. */
  growing: { readonly type: 'text' | 'thinking'; readonly long: LongText } | undefined;
  readonly waiting: HTMLElement;
}

export function createTimeline(words: Words): Timeline {
  const root = element('ol', { class: 'steps' });
  /** The step that is open in each place: a run of several agents has one in each. */
  const open = new Map<string, Step>();
  let retries = 0;
  let repairs = 0;

  function begin(place: string, title: string): Step {
    const body = element('div', { class: 'step-body' });
    const tokens = element('span', { class: 'muted' });
    const heading = place === '' ? title : `${place}: ${title}`;
    const waiting = element('p', { class: 'muted' }, words('waiting'));
    body.append(waiting);
    root.append(element('li', {}, element('details', { open: true }, element('summary', {}, heading, ' ', tokens), body)));
    const step = { body, tokens, growing: undefined, waiting };
    open.set(place, step);
    return step;
  }

  function put(step: Step, ...nodes: readonly Node[]): void {
    step.waiting.remove();
    step.growing = undefined;
    step.body.append(...nodes);
  }

  function grow(step: Step, type: 'text' | 'thinking', text: string): void {
    if (step.growing?.type !== type) {
      const long = createLongText(words(type === 'text' ? 'text' : 'thought'));
      put(step, type === 'text' ? long.root : folded(words('thought'), long.root));
      step.growing = { type, long };
    }
    step.growing.long.append(text);
  }

  return {
    root,
    get counts() {
      return { retries, repairs };
    },
    clear() {
      root.replaceChildren();
      open.clear();
      retries = 0;
      repairs = 0;
    },
    add(event) {
      const { place } = event;
      if (event.type === 'step') {
        begin(place, words('step', event.step));
        return;
      }
      if (event.type === 'other') {
        root.append(
          element('li', { class: 'other' }, element('strong', {}, place === '' ? event.name : `${place}: ${event.name}`), ' ', event.text),
        );
        return;
      }
      const step = open.get(place) ?? begin(place, words('step', 1));
      switch (event.type) {
        case 'text':
        case 'thinking':
          grow(step, event.type, event.text);
          return;
        case 'tool_call':
          put(step, folded(words('toolCall', event.name), plain(event.text, event.name)));
          return;
        case 'tool_result':
          put(step, folded(words(event.isError ? 'toolError' : 'toolResult', event.name), plain(event.text, event.name), event.isError));
          return;
        case 'retry':
          retries += 1;
          put(step, element('p', { class: 'warning' }, words('retry', event.attempt, event.reason, duration(event.wait_ms))));
          return;
        case 'repair':
          repairs += event.issues.length;
          put(step, ...event.issues.map(({ message }) => element('p', { class: 'warning' }, words('repair', message))));
          return;
        case 'step_end':
          if (event.thought !== '') put(step, folded(words('thought'), plain(event.thought, words('thought'))));
          if (event.observation !== '') put(step, folded(words('observation'), plain(event.observation, words('observation'))));
          step.waiting.remove();
          if (event.tokens !== null) step.tokens.textContent = words('stepTokens', count(event.tokens));
          return;
      }
    },
  };

  function plain(text: string, label: string): HTMLElement {
    const long = createLongText(label);
    long.append(text);
    return long.root;
  }
}

function folded(title: string, content: HTMLElement, isError = false): HTMLElement {
  return element('details', { class: isError ? 'fold failed' : 'fold' }, element('summary', {}, title), content);
}
