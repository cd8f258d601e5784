import { element } from '../../panels/page/page.js';
import type { PageAction, ViewFacts } from '../../views/run/messages.js';
import { needsKey } from './needsKey.js';
import { count, dollars, duration, elapsed, type Words } from './words.js';

/** Name, state and actions of a run, and what is known of it as a whole. */
export interface Header {
  readonly root: HTMLElement;
  show(facts: ViewFacts): void;
  /** The clock of a run that is going on. */
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

export function createHeader(words: Words, act: (action: PageAction) => void): Header {
  const name = element('h1');
  const mark = element('span', { class: 'mark', 'aria-hidden': 'true' });
  const state = element('span');
  const badge = element('span', { class: 'badge' }, mark, state);
  const simulated = element('span', { class: 'badge simulated', title: words('simulatedHint') }, words('simulated'));
  const recorded = element('span', { class: 'badge simulated' });
  const buttons: Record<string, HTMLButtonElement> = {};
  const button = (action: PageAction, word: string, kind = 'secondary') => {
    const made = element('button', { type: 'button', class: kind, onclick: () => act(action) }, words(word));
    buttons[action] = made;
    return made;
  };
  const toolbar = element(
    'div',
    { class: 'toolbar', role: 'group', 'aria-label': words('actions') },
    button('cancel', 'cancel', 'primary'),
    button('runAgain', 'runAgain', 'primary'),
    button('resume', 'resume', 'primary'),
    button('continue', 'continue'),
    button('showGraph', 'showGraph'),
    button('setKey', 'setKey'),
    button('listTools', 'listTools'),
    button('copy', 'copy'),
    button('saveCase', 'saveCase'),
    button('openRaw', 'raw'),
    button('openHistory', 'history'),
    button('pin', 'pin'),
  );
  const list = element('dl', { class: 'facts', 'aria-label': words('facts') });
  const time = element('span');
  const root = element('header', {}, element('div', { class: 'title' }, name, badge, simulated, recorded), toolbar, list);
  let shown: ViewFacts | undefined;
  let listed = '';

  function showTime() {
    if (shown === undefined) return;
    const { status, started, duration_ms } = shown;
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
      shown = facts;
      name.textContent = facts.version === '' ? facts.agent : `${facts.agent}@${facts.version}`;
      badge.className = `badge ${facts.status}`;
      mark.textContent = marks[facts.status];
      state.textContent = words(facts.status);
      simulated.hidden = !facts.simulated;
      recorded.hidden = facts.recording === null;
      recorded.textContent = words(facts.recording?.type ?? 'record');
      recorded.title = facts.recording?.type === 'replay' ? words('replayHint') : '';
      const isRunning = facts.status === 'running';
      set(buttons.cancel, isRunning);
      set(buttons.runAgain, !isRunning);
      set(buttons.resume, !isRunning && facts.canResume);
      set(buttons.showGraph, facts.kind === 'orchestration' && facts.run_id !== null);
      set(buttons.continue, !isRunning && facts.canContinue);
      set(buttons.setKey, needsKey(facts));
      set(buttons.listTools, facts.error?.code === 'denied');
      set(buttons.copy, !isRunning);
      set(buttons.saveCase, facts.isKept && !isRunning);
      set(buttons.openRaw, facts.isKept);
      set(buttons.openHistory, facts.isKept);
      set(buttons.pin, facts.isKept);
      if (buttons.pin) buttons.pin.textContent = words(facts.isPinned ? 'unpin' : 'pin');
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
          else if (term === 'snapshot') description.append(link(value, 'snapshotHint', 'openSnapshot'));
          else if (term === 'record' || term === 'replay') description.append(link(value, 'recordHint', 'openRecording'));
          else description.append(value);
          return element('div', {}, element('dt', {}, words(term)), description);
        }),
      );
    },
  };

  function link(value: string, hint: string, action: PageAction): HTMLElement {
    return element('button', { type: 'button', class: 'link mono', title: words(hint), onclick: () => act(action) }, value);
  }

  function tokensText(tokens: Tokens, isSimulated: boolean): string {
    if (isUnknown(tokens)) return words('unknown');
    const { prompt, completion, cached, isEstimated, isIncomplete } = tokens;
    const value =
      cached > 0
        ? words('tokensCached', count(prompt), count(cached), count(completion))
        : words('tokensValue', count(prompt), count(completion));
    if (isIncomplete) return words('atLeast', value);
    return isSimulated || isEstimated ? `${value} (${words('estimated')})` : value;
  }

  /** Term, value, hint. */
  function rowsOf(facts: ViewFacts) {
    const { model, provider, profile, project, tokens, cost, left_out, snapshot, started, simulated: isSimulated } = facts;
    const rows: (readonly [string, string, string?])[] = [];
    const modelName = [model, provider && `(${provider})`].filter(Boolean).join(' ');
    if (isSimulated) rows.push(['model', provider === null || provider === '' ? words('simulatedOnly') : words('simulatedBy', provider)]);
    else if (modelName !== '') rows.push(['model', modelName]);
    if (profile !== null) rows.push(['profile', profile]);
    if (facts.payload !== null) rows.push(['payload', facts.payload]);
    rows.push(['time', '']);
    if (tokens !== null) {
      rows.push(['tokens', tokensText(tokens, isSimulated), words(tokens.isIncomplete ? 'incompleteHint' : 'tokensHint')]);
      const { predicted, cached, written } = tokens;
      if (predicted + cached + written > 0) {
        const parts = [count(predicted), count(cached), count(written)];
        rows.push(['cache', words(written > 0 ? 'cacheWritten' : 'cacheValue', ...parts), words('cacheHint')]);
      }
      if (isSimulated) rows.push(['cost', words('noCost')]);
      else if (isUnknown(tokens)) rows.push(['cost', words('unknown'), words('incompleteHint')]);
      else if (cost === null) rows.push(['cost', words('unknownCost')]);
      else rows.push(['cost', tokens.isIncomplete ? words('atLeast', dollars(cost)) : dollars(cost), words('costHint')]);
    }
    if (facts.iterations !== null && (facts.iterations > 1 || facts.tools.length > 0)) rows.push(['iterations', count(facts.iterations)]);
    if (facts.tools.length > 0) rows.push(['tools', facts.tools.join(', ')]);
    if (facts.retries > 0) rows.push(['retries', count(facts.retries)]);
    if (facts.repairs > 0) rows.push(['repairs', count(facts.repairs)]);
    if (left_out.length > 0) rows.push(['leftOut', left_out.join(', '), words('leftOutHint')]);
    if (facts.unpriced.length > 0) rows.push(['unpriced', facts.unpriced.join(', '), words('unpricedHint')]);
    if (facts.dropped !== null)
      rows.push(['dropped', words('droppedValue', count(facts.dropped.results), count(facts.dropped.messages)), words('droppedHint')]);
    if (facts.recording !== null) rows.push([facts.recording.type, facts.recording.file]);
    if (snapshot !== null) rows.push(['snapshot', snapshot.slice(0, 12)]);
    if (facts.session !== null) rows.push(['session', facts.session.slice(0, 8), facts.session]);
    if (started !== null) rows.push(['started', new Date(started).toLocaleString(document.documentElement.lang || 'en')]);
    rows.push(['project', project]);
    return rows;
  }
}

type Tokens = NonNullable<ViewFacts['tokens']>;

/** A call was broken off before anything of its answer had arrived. */
function isUnknown({ prompt, completion, isIncomplete }: Tokens): boolean {
  return isIncomplete && prompt + completion === 0;
}

function set(button: HTMLButtonElement | undefined, isThere: boolean): void {
  if (button) button.hidden = !isThere;
}
