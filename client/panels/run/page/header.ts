import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import { count, dollars, duration, language, statusWord } from '../../page/words.js';
import type { PageAction, ViewFacts } from '../messages.js';
import { needsKey } from './needsKey.js';

/** Name, state and actions of a run, and the facts about it as a whole. */
export interface Header {
  readonly root: HTMLElement;
  show(facts: ViewFacts): void;
  /** The clock of a run in progress. */
  tick(): void;
}

const marks: Readonly<Record<ViewFacts['status'], string>> = {
  running: '◌',
  completed: '✓',
  partial: '◐',
  failed: '✗',
  cancelled: '⊘',
  open: '…',
  broken: '!',
};

/** The facts about a run, in the order in which they are listed. */
const terms = {
  model: () => t('Model'),
  profile: () => t('Profile'),
  payload: () => t('Input'),
  time: () => t('Time'),
  tokens: () => t('Tokens'),
  cache: () => t('Prompt cache'),
  cost: () => t('Cost'),
  iterations: () => t('Model calls'),
  permits: () => t('May'),
  tools: () => t('Tools'),
  retries: () => t('Retries'),
  repairs: () => t('Repairs'),
  leftOut: () => t('Not sent'),
  unpriced: () => t('Budget not enforced for'),
  dropped: () => t('Left out'),
  record: () => t('Recorded'),
  replay: () => t('Replay'),
  snapshot: () => t('Snapshot'),
  session: () => t('Session'),
  started: () => t('Started'),
  project: () => t('Project'),
} as const;

const incompleteHint = () => t('The run ended before the provider said what it used. What had arrived is counted.');

export function createHeader(act: (action: PageAction) => void): Header {
  const name = element('h1');
  const mark = element('span', { class: 'mark', 'aria-hidden': 'true' });
  const state = element('span');
  const badge = element('span', { class: 'badge' }, mark, state);
  const simulated = element(
    'span',
    { class: 'badge simulated', title: t('Made up by the offline provider: no model was asked.') },
    t('Simulated'),
  );
  const recorded = element('span', { class: 'badge simulated' });
  const buttons: Record<string, HTMLButtonElement> = {};
  const actionButton = (action: PageAction, text: string, kind = 'secondary') => {
    buttons[action] = button({ class: kind, onclick: () => act(action) }, text);
    return buttons[action];
  };
  const toolbar = element(
    'div',
    { class: 'toolbar', role: 'group', 'aria-label': t('Actions') },
    actionButton('cancel', t('Cancel'), 'primary'),
    actionButton('pause', t('Pause Before Next Call')),
    actionButton('runAgain', t('Run Again'), 'primary'),
    actionButton('resume', t('Resume'), 'primary'),
    actionButton('debug', t('Debug')),
    actionButton('fork', t('Fork...')),
    actionButton('continue', t('Continue Conversation')),
    actionButton('showGraph', t('Show in Graph')),
    actionButton('setKey', t('Set API Key...')),
    actionButton('listTools', t('List Tools')),
    actionButton('copy', t('Copy Result')),
    actionButton('saveCase', t('Save as Case')),
    actionButton('openRaw', t('Raw JSON')),
    actionButton('openHistory', t('Show in History')),
    actionButton('pin', t('Pin')),
  );
  const list = element('dl', { class: 'facts', 'aria-label': t('About this run') });
  const time = element('span');
  const root = element('header', {}, element('div', { class: 'title' }, name, badge, simulated, recorded), toolbar, list);
  let shownFacts: ViewFacts | undefined;
  let listed = '';

  function showTime() {
    if (shownFacts === undefined) return;
    const { status, started, duration_ms } = shownFacts;
    const spent = duration_ms ?? (status === 'running' && started !== null ? Date.now() - started : null);
    if (spent === null) time.textContent = '';
    else if (status === 'running') time.textContent = spent < 1_000 ? '…' : elapsed(spent);
    else time.textContent = duration(spent);
  }

  return {
    root,
    tick: showTime,
    show(facts) {
      const had = document.activeElement;
      shownFacts = facts;
      name.textContent = facts.version === '' ? facts.agent : `${facts.agent}@${facts.version}`;
      badge.className = `badge ${facts.status}`;
      mark.textContent = marks[facts.status];
      state.textContent = statusWord(facts.status);
      simulated.hidden = !facts.simulated;
      recorded.hidden = facts.recording === null;
      recorded.textContent = facts.recording?.type === 'replay' ? t('Replay') : t('Recorded');
      recorded.title = facts.recording?.type === 'replay' ? t('Answered from a record: no model and no tool was called.') : '';
      const isRunning = facts.status === 'running';
      set(buttons.cancel, isRunning);
      set(buttons.pause, isRunning && facts.stop === null);
      set(buttons.runAgain, !isRunning);
      set(buttons.resume, !isRunning && facts.canResume);
      set(buttons.debug, facts.isKept && !isRunning);
      set(buttons.fork, facts.isKept && !isRunning);
      set(buttons.showGraph, facts.kind === 'orchestration' && facts.run_id !== null);
      set(buttons.continue, !isRunning && facts.canContinue);
      set(buttons.setKey, needsKey(facts));
      set(buttons.listTools, facts.error?.code === 'denied');
      set(buttons.copy, !isRunning);
      set(buttons.saveCase, facts.isKept && !isRunning);
      set(buttons.openRaw, facts.isKept);
      set(buttons.openHistory, facts.isKept);
      set(buttons.pin, facts.isKept);
      if (buttons.pin) buttons.pin.textContent = facts.isPinned ? t('Unpin') : t('Pin');
      // A button that goes while it has the focus hands it to the one in its place.
      if (had === buttons.cancel && !isRunning) buttons.runAgain?.focus();
      else if (had === buttons.runAgain && isRunning) buttons.cancel?.focus();
      showTime();
      const rows = rowsOf(facts);
      // Text arrives many times a second; the list is built again only when it says something else.
      const key = JSON.stringify(rows);
      if (key === listed) return;
      listed = key;
      list.replaceChildren(
        ...rows.map(([term, value, hint]) => {
          const description = element('dd', hint === undefined ? {} : { title: hint });
          if (term === 'time') description.append(time);
          else if (term === 'snapshot') description.append(link(value, t('Open the frozen configuration of this run'), 'openSnapshot'));
          else if (term === 'record' || term === 'replay')
            description.append(link(value, t('Open the record of this run'), 'openRecording'));
          else description.append(value);
          return element('div', {}, element('dt', {}, terms[term]()), description);
        }),
      );
    },
  };

  function link(value: string, hint: string, action: PageAction): HTMLElement {
    return button({ class: 'link mono', title: hint, onclick: () => act(action) }, value);
  }

  function tokensText(tokens: Tokens, isSimulated: boolean): string {
    if (isUnknown(tokens)) return t('unknown');
    const { prompt, completion, cached, isEstimated, isIncomplete } = tokens;
    const value =
      cached > 0
        ? t('{0} in ({1} cached), {2} out', count(prompt), count(cached), count(completion))
        : t('{0} in, {1} out', count(prompt), count(completion));
    if (isIncomplete) return t('at least {0}', value);
    return isSimulated || isEstimated ? `${value} (${t('estimated')})` : value;
  }

  /** Term, value, hint. */
  function rowsOf(facts: ViewFacts) {
    const { model, provider, profile, project, tokens, cost, left_out, snapshot, started, simulated: isSimulated } = facts;
    const rows: (readonly [keyof typeof terms, string, string?])[] = [];
    const modelName = [model, provider && `(${provider})`].filter(Boolean).join(' ');
    if (isSimulated)
      rows.push([
        'model',
        provider === null || provider === '' ? t('simulated: no model was asked') : t('simulated by {0}, no model was asked', provider),
      ]);
    else if (modelName !== '') rows.push(['model', modelName]);
    if (profile !== null) rows.push(['profile', profile]);
    if (facts.payload !== null) rows.push(['payload', facts.payload]);
    rows.push(['time', '']);
    if (tokens !== null) {
      rows.push([
        'tokens',
        tokensText(tokens, isSimulated),
        tokens.isIncomplete ? incompleteHint() : t('As the provider counted them, or as they were counted here where it says "estimated"'),
      ]);
      const { predicted, cached, written } = tokens;
      if (predicted + cached + written > 0) {
        rows.push([
          'cache',
          written > 0
            ? t('{0} predicted, {1} billed as cached, {2} written', count(predicted), count(cached), count(written))
            : t('{0} predicted, {1} billed as cached', count(predicted), count(cached)),
          t('What the provider gives from its cache while that holds the beginning of the prompt, and what it did give'),
        ]);
      }
      if (isSimulated) rows.push(['cost', t('none: no model was asked')]);
      else if (facts.replay !== null) {
        const { cost: then } = facts.replay;
        const was = then === null ? t('recorded at an unknown cost') : t('recorded at {0}', dollars(then));
        rows.push(['cost', `${dollars(0)} (${t('replayed')}, ${was})`, t('A record answered in place of the model.')]);
      } else if (isUnknown(tokens)) rows.push(['cost', t('unknown'), incompleteHint()]);
      else if (cost === null) rows.push(['cost', t('unknown: no price for this model')]);
      else
        rows.push([
          'cost',
          tokens.isIncomplete ? t('at least {0}', dollars(cost)) : dollars(cost),
          t('From these tokens and the known price of the model'),
        ]);
    }
    if (facts.iterations !== null && (facts.iterations > 1 || facts.tools.length > 0)) rows.push(['iterations', count(facts.iterations)]);
    if (facts.permits !== null) rows.push(['permits', facts.permits, t('By the labels of its tools')]);
    if (facts.tools.length > 0) rows.push(['tools', facts.tools.join(', ')]);
    if (facts.retries > 0) rows.push(['retries', count(facts.retries)]);
    if (facts.repairs > 0) rows.push(['repairs', count(facts.repairs)]);
    if (left_out.length > 0) rows.push(['leftOut', left_out.join(', '), t('The model refuses these settings.')]);
    if (facts.unpriced.length > 0)
      rows.push([
        'unpriced',
        facts.unpriced.join(', '),
        t('The price of these models is unknown, and the run was allowed to continue without it.'),
      ]);
    if (facts.dropped !== null)
      rows.push([
        'dropped',
        t('{0} tool results, {1} messages', count(facts.dropped.results), count(facts.dropped.messages)),
        t('They did not fit the context window of the model.'),
      ]);
    if (facts.recording !== null) rows.push([facts.recording.type, facts.recording.file]);
    if (snapshot !== null) rows.push(['snapshot', snapshot.slice(0, 12)]);
    if (facts.session !== null) rows.push(['session', facts.session.slice(0, 8), facts.session]);
    if (started !== null) rows.push(['started', new Date(started).toLocaleString(language)]);
    rows.push(['project', project]);
    return rows;
  }
}

/** The time of something in progress: `2 s`, `1 min 5 s`. */
function elapsed(milliseconds: number): string {
  return milliseconds < 60_000 ? `${Math.floor(milliseconds / 1_000)} s` : duration(milliseconds);
}

type Tokens = NonNullable<ViewFacts['tokens']>;

/** A call was broken off before anything of its answer had arrived. */
function isUnknown({ prompt, completion, isIncomplete }: Tokens): boolean {
  return isIncomplete && prompt + completion === 0;
}

function set(button: HTMLButtonElement | undefined, isThere: boolean): void {
  if (button) button.hidden = !isThere;
}
