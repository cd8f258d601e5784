import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import { count, duration, originWord } from '../../page/words.js';
import type { ViewEvent } from '../messages.js';
import { createFold } from './fold.js';
import type { WholeTexts } from './wholeTexts.js';

type Call = Extract<ViewEvent, { type: 'tool_call' }>;
type Result = Extract<ViewEvent, { type: 'tool_result' }>;

/** A call of a tool in one line, with its input and its result below it. */
export interface ToolCall {
  readonly root: HTMLElement;
  readonly name: string;
  readonly hasFailed: boolean;
}

interface OpenCall extends ToolCall {
  answer(result: Result): void;
  /** The run has ended without an answer of the tool. */
  abandon(): void;
}

/** The calls of a run, each until it is answered. */
export interface ToolCalls {
  /** @param onAnswer called when the tool has answered */
  add(call: Call, onAnswer?: () => void): ToolCall;
  /** @returns the call where it was not shown: a run that was read back may have lost it */
  answer(result: Result): ToolCall | undefined;
  /** The run is over: open calls will never be answered. */
  end(): void;
  clear(): void;
}

export function createToolCalls(texts: WholeTexts): ToolCalls {
  const waiting = new Map<string, { readonly call: OpenCall; readonly onAnswer: (() => void) | undefined }>();
  const keyOf = ({ place, id }: Call | Result) => `${place}\n${id}`;
  return {
    add(event, onAnswer) {
      const call = createToolCall(event, texts);
      waiting.set(keyOf(event), { call, onAnswer });
      return call;
    },
    answer(event) {
      const approval = waiting.get(keyOf(event));
      waiting.delete(keyOf(event));
      const input = { part: -1, excerpt: '', text: '', units: 0 };
      const call = approval?.call ?? createToolCall({ name: event.name, origin: '', input }, texts);
      call.answer(event);
      approval?.onAnswer?.();
      return approval === undefined ? call : undefined;
    },
    end() {
      for (const { call } of waiting.values()) call.abandon();
      waiting.clear();
    },
    clear: () => waiting.clear(),
  };
}

function createToolCall({ name, origin, input }: Pick<Call, 'name' | 'origin' | 'input'>, texts: WholeTexts): OpenCall {
  const mark = element('span', { class: 'mark', 'aria-hidden': 'true' }, '◌');
  const state = element('span', { class: 'visually-hidden' }, ` ${t('is running')} `);
  const source = origin === '' ? undefined : element('span', { class: 'tag' }, originWord(origin));
  const inputText = element('span', { class: 'muted mono short' }, input.excerpt);
  const answered = element('span', { class: 'short answered' });
  let result: Result | undefined;
  const answers = element('div');
  const fold = createFold(
    'fold tool waiting',
    [mark, element('span', { class: 'tool-name mono' }, name), ...(source ? [' ', source] : []), state, ' ', inputText, answered],
    (body) => {
      body.append(element('h4', {}, t('Input')), texts.show(input, t('Input of {0}', name)), answers);
      showResult();
    },
  );
  let isShown = false;

  function showResult(): void {
    // Created when the result has arrived and the section is unfolded.
    if (result === undefined || !fold.root.open || isShown) return;
    isShown = true;
    const { output, isError } = result;
    const size = output.units > 10_000 ? ` (${t('{0} characters', count(output.units))})` : '';
    answers.append(element('h4', {}, isError ? t('Failure') : t('Result'), size), texts.show(output, t('Result of {0}', name)));
  }

  fold.root.addEventListener('toggle', showResult);
  return {
    root: fold.root,
    name,
    get hasFailed() {
      return result?.isError === true;
    },
    answer(event) {
      if (result !== undefined) return;
      result = event;
      const { isError, output } = event;
      fold.root.className = `fold tool ${isError ? 'failed' : 'done'}`;
      mark.textContent = isError ? '✗' : '✓';
      state.textContent = ` ${isError ? t('has failed') : t('has answered')} `;
      answered.replaceChildren(element('span', { 'aria-hidden': 'true' }, '→ '), output.excerpt);
      showResult();
    },
    abandon() {
      if (result !== undefined) return;
      fold.root.className = 'fold tool';
      mark.textContent = '–';
      state.textContent = ` ${t('has not answered')} `;
    },
  };
}

/** A model call that failed, and when it is made again. */
export function retryWords({ attempt, reason, wait_ms }: Extract<ViewEvent, { type: 'retry' }>): string {
  return t('Try {0} failed ({1}), next in {2}', attempt, reason, duration(wait_ms));
}
