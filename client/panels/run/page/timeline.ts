import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import { count, dollars } from '../../page/words.js';
import type { ViewEvent, ViewText } from '../messages.js';
import { createFold, type Fold } from './fold.js';
import { createLongText, type LongText, showLongText } from './longText.js';
import { createTeams } from './teams.js';
import { createToolCalls, retryWords, type ToolCall } from './toolCall.js';
import type { WholeTexts } from './wholeTexts.js';

/** The steps of a run, each with its events, in order. It knows no kind of agent, only events. */
export interface Timeline {
  readonly root: HTMLElement;
  add(event: ViewEvent): void;
  clear(): void;
  /** The run is over: open calls will never be answered. */
  end(): void;
  /** Opens or closes all steps. */
  fold(isOpen: boolean): void;
  readonly stepCount: number;
}

interface Step {
  readonly fold: Fold;
  readonly digest: HTMLElement;
  readonly spent: HTMLElement;
  readonly tools: ToolCall[];
  /** The text that still grows; anything else that happens ends it. */
  growing: { readonly type: 'text' | 'thinking'; readonly long: LongText } | undefined;
  readonly waiting: HTMLElement;
}

export function createTimeline(texts: WholeTexts): Timeline {
  const root = element('ol', { class: 'steps' });
  /** The step that is open in each place: a run of several agents has one in each. */
  const open = new Map<string, Step>();
  const calls = createToolCalls(texts);
  const folds: Fold[] = [];
  const teams = createTeams(texts);

  function resumedWords(steps: number): string {
    return steps === 0
      ? t('Resumed from the beginning: no step was finished.')
      : steps === 1
        ? t('Resumed: one finished step was taken over.')
        : t('Resumed: {0} finished steps were taken over.', count(steps));
  }

  function begin(place: string, title: string): Step {
    const before = open.get(place);
    // The newest step is open; earlier steps are folded to one line each.
    if (before !== undefined && !before.fold.isTouched) before.fold.set(false);
    const digest = element('span', { class: 'muted' });
    const spent = element('span', { class: 'muted spent' });
    const parent = teams.listOf(place);
    const heading = place === '' || parent !== undefined ? title : `${place}: ${title}`;
    const waiting = element('p', { class: 'muted waiting-line' }, t('Waiting for the model...'));
    const fold = createFold('step', [element(parent === undefined ? 'h3' : 'h5', {}, heading), ' ', digest, ' ', spent]);
    fold.body.classList.add('step-body');
    fold.body.append(waiting);
    fold.set(true);
    (parent ?? root).append(element('li', {}, fold.root));
    folds.push(fold);
    const step: Step = { fold, digest, spent, tools: [], growing: undefined, waiting };
    open.set(place, step);
    return step;
  }

  function put(step: Step, ...nodes: readonly Node[]): void {
    step.waiting.remove();
    step.growing = undefined;
    step.fold.body.append(...nodes);
  }

  function grow(step: Step, type: 'text' | 'thinking', text: string): void {
    if (step.growing?.type !== type) {
      const long = createLongText(type === 'text' ? t('Text from the model') : t('Thought'));
      if (type === 'text') put(step, long.root);
      else {
        const fold = createFold('fold thought', [t('Thought')]);
        fold.body.append(long.root);
        fold.set(true);
        put(step, fold.root);
      }
      step.growing = { type, long };
    }
    step.growing.long.append(text);
  }

  function call(step: Step, event: Extract<ViewEvent, { type: 'tool_call' }>): void {
    const digest = () => {
      step.digest.textContent = digestOf(step.tools);
    };
    const callView = calls.add(event, digest);
    put(step, callView.root);
    step.tools.push(callView);
    digest();
  }

  return {
    root,
    get stepCount() {
      return folds.length;
    },
    clear() {
      root.replaceChildren();
      open.clear();
      calls.clear();
      teams.clear();
      folds.length = 0;
    },
    end() {
      for (const step of open.values()) step.waiting.remove();
      calls.end();
      teams.end();
    },
    fold(isOpen) {
      for (const fold of folds) fold.set(isOpen);
      teams.fold(isOpen);
    },
    add(event) {
      const { place } = event;
      switch (event.type) {
        case 'task_end': {
          // A finished step is one line: its result says how it ended.
          const last = open.get(place);
          if (last !== undefined && !last.fold.isTouched) last.fold.set(false);
          last?.waiting.remove();
          open.delete(place);
          teams.add(event);
          return;
        }
        case 'team':
        case 'task':
        case 'route':
        case 'team_end': {
          const item = teams.add(event);
          if (item !== undefined) root.append(item);
          return;
        }
        case 'resumed':
          root.append(element('li', { class: 'other' }, resumedWords(event.steps)));
          return;
        default:
      }
      if (event.type === 'step') {
        begin(place, event.name === null ? t('Step {0}', event.step) : t('Step {0}: {1}', event.step, event.name));
        return;
      }
      if (event.type === 'other') {
        root.append(
          element('li', { class: 'other' }, element('strong', {}, place === '' ? event.name : `${place}: ${event.name}`), ' ', event.text),
        );
        return;
      }
      const step = open.get(place) ?? begin(place, t('Step {0}', 1));
      switch (event.type) {
        case 'text':
        case 'thinking':
          grow(step, event.type, event.text);
          return;
        case 'tool_call':
          call(step, event);
          return;
        case 'tool_result': {
          const lost = calls.answer(event);
          if (lost !== undefined) put(step, lost.root);
          return;
        }
        case 'retry':
          put(step, element('p', { class: 'warning' }, retryWords(event)));
          return;
        case 'repair':
          put(step, ...event.issues.map(({ message }) => element('p', { class: 'warning' }, t('Repaired: {0}', message))));
          return;
        case 'edit':
          put(step, element('p', { class: 'warning' }, t('Changed by hand: {0} is now {1}', event.path, event.after)));
          return;
        case 'output_limit':
          put(step, element('p', { class: 'muted' }, t('The budget limited the answer to {0} tokens.', count(event.tokens))));
          return;
        case 'step_end': {
          const { thought, observation, isCorrection, hints, tokens, cost } = event;
          if (thought !== '') put(step, thoughtFold(thought));
          if (hints.length > 0) put(step, element('ul', { class: 'hints muted' }, ...hints.map((hint) => element('li', {}, hint))));
          if (observation !== null && isCorrection) {
            put(step, correction(observation));
            step.digest.textContent = t('the answer was not accepted');
          } else if (observation !== null) {
            const toldFold = createFold('fold', [t('What the model was told')], (body) =>
              body.append(texts.show(observation, t('What the model was told'))),
            );
            put(step, toldFold.root);
          }
          step.waiting.remove();
          const spent = [tokens === null ? undefined : t('{0} tokens', count(tokens)), cost === null ? undefined : dollars(cost)];
          step.spent.textContent = spent.filter((part) => part !== undefined).join(' · ');
          return;
        }
      }
    },
  };

  /** An answer that was refused: what was wrong with it is shown open. */
  function correction(observation: ViewText): HTMLElement {
    const box = element('div', { class: 'warning' }, element('p', {}, t('The answer was not accepted; the message to the model:')));
    box.append(texts.show(observation, t('The answer was not accepted; the message to the model:')));
    return box;
  }

  function thoughtFold(thought: string): HTMLElement {
    return createFold('fold thought', [t('Thought')], (body) => body.append(showLongText(t('Thought'), thought))).root;
  }
}

/** `search_files, read_file ×3, write_file ✗`. */
function digestOf(tools: Step['tools']): string {
  const counts = new Map<string, number>();
  for (const { name, hasFailed } of tools) {
    const word = hasFailed ? `${name} ✗` : name;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([tool, times]) => (times === 1 ? tool : `${tool} ×${times}`)).join(', ');
}
