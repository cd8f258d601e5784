import type { AgentEvent } from '../agent/events.js';
import type { Change, Gate, Stop } from '../agent/gate.js';
import { capitalized } from '../words.js';
import type { HitPlace } from './breakpoints.js';
import { describeStop } from './describeStop.js';
import { History, type Moment } from './history.js';
import { endsStep, type StepKind } from './stepping.js';
import { mainThread, Threads } from './threads.js';

/** A model or tool call that has been made and not yet answered. */
interface OpenCall {
  readonly index: number;
  /** What the model has answered so far. */
  text: string;
}

/** What is shown at a stop. */
export interface View {
  readonly moment: Moment;
  /** Its index in the history: changes whenever something else is shown. */
  readonly index: number;
  /** In the middle of a call: the answer so far. */
  readonly answer: string | undefined;
  /** Why nothing can be changed here; undefined if it can. */
  readonly locked: string | undefined;
}

/** Why a run stopped, and where, for a person. */
export interface StopNotice {
  readonly reason: 'breakpoint' | 'exception' | 'step' | 'pause' | 'entry';
  readonly thread: number;
  readonly words: string;
}

interface ControlOptions {
  /** The breakpoint that stops there, `exception` for a finding, or `entry` for `stopBefore`. Called once for each place that the run reaches. */
  readonly isHit: (stop: Stop) => false | 'entry' | 'exception' | HitPlace;
  readonly stopped: (notice: StopNotice) => void;
  /** More has come of the answer that is shown. */
  readonly answerGrew: () => void;
  readonly threadChanged: (reason: 'started' | 'exited', thread: number) => void;
}

const lockedByPast = 'This is past: it was sent as it is shown. Step forward to the present stop to change something.';
const lockedByCall = 'The call is being made: what is sent cannot be changed any more.';

/** Where a run is, where it stops next, and which of its moments is shown. One stop waits at a time; those of parallel tasks wait in a line. */
export class RunControl {
  readonly threads: Threads;
  readonly events: AgentEvent[] = [];
  readonly #options: ControlOptions;
  readonly #history = new History();
  readonly #calls = new Map<number, OpenCall>();
  #step: { readonly kind: StepKind; readonly from: Moment } | 'pause' | undefined;
  /** The stop that waits for a person. */
  #waiting: { readonly index: number; readonly go: (change: Change | undefined) => void; change: Change | undefined } | undefined;
  /** The thread whose open call is shown after a pause. */
  #paused: number | undefined;
  /** The past moment that is shown. */
  #past: number | undefined;
  #isOver = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ControlOptions) {
    this.#options = options;
    this.threads = new Threads(options.threadChanged);
  }

  readonly gate: Gate = (stop) => {
    const turn = this.#last.then(() => this.#reach(stop));
    this.#last = turn.catch(() => undefined);
    return turn;
  };

  /** Takes note of an event of the run. */
  follow(event: AgentEvent): void {
    this.events.push(event);
    const place = event as { readonly team?: string; readonly task?: string };
    if (event.type === 'task_start') this.threads.of(place);
    else if (event.type === 'task_end') {
      this.#calls.delete(this.threads.of(place));
      this.threads.ended(place);
    } else if (event.type === 'chunk') {
      const call = this.#calls.get(this.threads.of(place));
      if (!call) return;
      call.text += event.text;
      if (call === this.#pausedCall && this.#past === undefined) this.#options.answerGrew();
    }
  }

  /** What is shown; undefined while the run is not stopped. */
  get view(): View | undefined {
    if (this.#past !== undefined) return this.#viewOf(this.#past, lockedByPast);
    if (this.#waiting) {
      const { index, change } = this.#waiting;
      const view = this.#viewOf(index, undefined);
      return view && { ...view, locked: view.moment.stop.locked, moment: { ...view.moment, change } };
    }
    const call = this.#pausedCall;
    if (!call) return undefined;
    const view = this.#viewOf(call.index, lockedByCall);
    return view && { ...view, answer: call.text };
  }

  /** The moments before the one that is shown, the last one first. */
  *before(index: number): Generator<Moment, void, undefined> {
    for (let at = index - 1; at >= 0; at -= 1) {
      const moment = this.#history.at(at);
      if (moment) yield moment;
    }
  }

  /** Adds to what is changed at the present stop. */
  change(change: Change): void {
    if (this.#waiting) this.#waiting.change = { ...this.#waiting.change, ...change };
  }

  /** Continues: to the next breakpoint, or by a step. From a past moment it goes through the past, to the present stop at most. */
  go(kind: StepKind | undefined): void {
    const past = this.#past;
    if (past !== undefined) {
      const next = kind === undefined ? this.#history.hitAfter(past) : past + 1;
      this.#show(next !== undefined && next < this.#present ? next : undefined, kind === undefined ? 'breakpoint' : 'step');
      return;
    }
    const from = this.view?.moment;
    this.#step = kind && from ? { kind, from } : undefined;
    this.#paused = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.go(waiting.change);
  }

  /** Stops at once in a call that has not been answered, else before the next call. */
  pause(thread: number): void {
    if (this.#waiting) return;
    this.#step = 'pause';
    const inCall = this.#calls.has(thread) ? thread : [...this.#calls.keys()].at(-1);
    this.#paused = inCall;
    if (inCall !== undefined) this.#show(undefined, 'pause');
  }

  /** The moment before the shown one, or the last one before it where the run stopped, else the first. @throws Error if there is none */
  previous(to: 'previous' | 'hit'): number {
    if (!this.view) throw new Error('The run is not stopped.');
    const index = this.#past ?? this.#present;
    if (index === 0) throw new Error('There is nothing before this: the run begins here.');
    return to === 'previous' ? index - 1 : (this.#history.hitBefore(index) ?? 0);
  }

  /** Shows a past moment. */
  lookAt(index: number, reason: StopNotice['reason']): void {
    this.#show(index, reason);
  }

  /** Stops once more when the run is over, at its last answer or route as it was. */
  async stopAtEnd(words: string, reason: 'breakpoint' | 'exception'): Promise<void> {
    const last = [...this.before(this.#history.length)].find(({ stop }) => stop.at === 'answer' || stop.at === 'route');
    if (!last || this.#isOver) return;
    const stop = { ...last.stop, locked: 'The run is over.' };
    const index = this.#history.add({ ...last, stop, change: undefined, thread: mainThread, isHit: true });
    this.#past = undefined;
    await new Promise<void>((resolve) => {
      this.#waiting = { index, go: () => resolve(), change: undefined };
      this.#options.stopped({ reason, thread: mainThread, words });
    });
  }

  /** Nothing stops any more. */
  end(): void {
    this.#isOver = true;
    this.#past = undefined;
    this.#paused = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.go(undefined);
  }

  #reach(stop: Stop): Promise<Change | undefined> | undefined {
    if (this.#isOver) return undefined;
    const thread = this.threads.of(stop);
    const hit = this.#options.isHit(stop);
    // A finding is a place of its own only where the run stops at it, and may be in the middle of a call.
    if (stop.at === 'finding' && hit === false) return undefined;
    if (stop.at !== 'finding') this.#calls.delete(thread);
    const breakpoint = typeof hit === 'object' ? hit : undefined;
    const moment = { stop, change: undefined, thread, isHit: hit !== false, breakpoint, events: this.events.length };
    const index = this.#history.add(moment);
    const isStep = this.#isStepTo(moment);
    const reason = breakpoint ? 'breakpoint' : hit === 'exception' ? hit : this.#step === 'pause' ? 'pause' : isStep ? 'step' : 'entry';
    if (!hit && !isStep) {
      this.#called(stop, thread, index);
      return undefined;
    }
    this.#step = undefined;
    this.#paused = undefined;
    return new Promise((resolve) => {
      const go = (change: Change | undefined) => {
        this.#history.changed(index, change);
        this.#called(stop, thread, index);
        resolve(change);
      };
      this.#waiting = { index, go, change: undefined };
      // A person who looks at the past stays there.
      if (this.#past === undefined) this.#show(undefined, reason);
    });
  }

  #isStepTo({ stop, thread }: Moment): boolean {
    if (this.#step === undefined || this.#step === 'pause') return this.#step === 'pause';
    const { kind, from } = this.#step;
    const isElsewhere = thread !== from.thread && from.stop.task !== undefined && stop.isAtWork?.(from.stop.task) === true;
    return endsStep(kind, from.stop, stop, isElsewhere);
  }

  #called(stop: Stop, thread: number, index: number): void {
    if (stop.at === 'model' || stop.at === 'tool') this.#calls.set(thread, { index, text: '' });
  }

  get #pausedCall(): OpenCall | undefined {
    return this.#paused === undefined ? undefined : this.#calls.get(this.#paused);
  }

  /** The index after all past moments. In the middle of a call, the stop before it is past. */
  get #present(): number {
    return this.#waiting?.index ?? (this.#pausedCall ? this.#pausedCall.index + 1 : this.#history.length);
  }

  #viewOf(index: number, locked: string | undefined): View | undefined {
    const moment = this.#history.at(index);
    return moment && { moment, index, answer: undefined, locked };
  }

  /** @param past undefined: the present */
  #show(past: number | undefined, reason: StopNotice['reason']): void {
    this.#past = past;
    const view = this.view;
    if (!view) return;
    const { stop, thread } = view.moment;
    const place = describeStop(stop, view.answer !== undefined);
    this.#options.stopped({ reason, thread, words: capitalized(past === undefined ? place : `in the past, ${place}`) });
  }
}
