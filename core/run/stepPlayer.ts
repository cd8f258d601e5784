import { abortable } from '../abort.js';
import { partsOf } from '../agent/durableCall.js';
import type { RunResult } from '../agent/events.js';
import type { ReadOutcome } from '../agent/react/observation.js';
import type { SessionMessage } from '../agent/types.js';
import type { DurableSteps, StepOptions } from '../durable.js';
import { CancelledError } from '../errors.js';
import type { Completion, StreamPart } from '../llm/types.js';
import type { Tool, ToolOutcome } from '../tools/types.js';
import type { KeptSteps } from './journal/readJournal.js';
import { skippedCall } from './journal/unfinishedCall.js';
import type { RunConnections } from './recording.js';
import { type RecordedError, type RecordedTool, toError } from './recordLines.js';

type KeptCall = { readonly completion: Completion } | { readonly failure: Omit<RecordedError, 'code'> };

/** What a step was answered with, or why it has no answer. */
type Answer = { readonly value: unknown } | { readonly error: RecordedError };

/** Steps whose work asks the outside. All others only return what was kept. */
const asking = /^(llm|tool|approval)\/|^session\/load$/;

/**
 * Plays a run again from its kept steps: the work of each is done again, and what it asks the outside is answered with what was kept. Nothing is
 * called and nothing written. A part of the run that has no further answers waits; once all its parts do, `signal` ends it.
 */
export class StepPlayer {
  readonly steps: DurableSteps;
  readonly #over = new AbortController();
  readonly #kept: KeptSteps;
  readonly #isTeam: boolean;
  readonly #end: RecordedError | undefined;
  readonly #unplayed: Set<string>;
  /** The answer to the question that a part of the run asks next: each asks one at a time, but for tools, which ask at once. */
  readonly #answers = new Map<string, Answer>();
  /** The parts that are at work: the run of an agent is one, and each task of an orchestration. */
  readonly #open = new Set<string>();
  readonly #waiting = new Set<string>();

  /** @param end how the whole run ended, if it did not complete */
  constructor(kept: KeptSteps, { isTeam, end }: { readonly isTeam: boolean; readonly end: RecordedError | undefined }) {
    this.#kept = kept;
    this.#isTeam = isTeam;
    this.#end = end;
    this.#unplayed = new Set([...kept.keys()].filter((step) => kept.get(step) !== 'begun' && !step.endsWith('/result')));
    if (!isTeam) this.#open.add('');
    this.steps = this.#scope('');
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether a part of the run asked for more than was kept. */
  get isCut(): boolean {
    return this.#waiting.size > 0;
  }

  /** Kept steps that did not occur again. */
  get unplayed(): readonly string[] {
    return [...this.#unplayed];
  }

  /** @param place of the agent, as in a record */
  connect(place: string, tools: readonly RecordedTool[]): RunConnections {
    const part = this.#partOf(place);
    const answer = <Value>(): Value => this.#take(part) as Value;
    const call = (): Completion => {
      const kept = answer<KeptCall>();
      if ('failure' in kept) throw toError({ ...kept.failure, code: 'llm' });
      const { budget_limit: _limit, ...completion } = kept.completion;
      return completion;
    };
    return {
      llm: {
        call: async () => call(),
        async *stream(): AsyncGenerator<StreamPart, void, undefined> {
          const completion = call();
          yield* partsOf(completion);
          yield { type: 'completion', completion };
        },
      },
      openTools: async () => ({
        tools: tools.map((tool): Tool => ({ ...tool, call: async () => toOutcome(answer<{ outcome: ReadOutcome }>().outcome) })),
        close: async () => undefined,
      }),
      approve: async () => answer(),
      sessions: { load: async () => answer<readonly SessionMessage[]>(), append: async () => undefined },
    };
  }

  #scope(prefix: string): DurableSteps {
    return {
      step: (name, work, options) => this.#step(prefix, name, work, options),
      scope: (name) => this.#scope(`${prefix}${name}/`),
      earlier: { has: (name) => this.#kept.has(prefix + name), isAhead: () => true },
    };
  }

  async #step<Value>(prefix: string, name: string, work: () => Promise<Value>, options: StepOptions | undefined): Promise<Value> {
    const part = this.#partOf(prefix);
    if (options?.isComposite) return this.#composite(part, prefix, work);
    const kept = this.#kept.get(prefix + name);
    this.#unplayed.delete(prefix + name);
    if (!asking.test(name)) return typeof kept === 'object' ? (kept.value as Value) : this.#wait(part);
    if (typeof kept === 'object') {
      this.#answers.set(part, kept);
      await work();
      return kept.value as Value;
    }
    if (kept === 'skipped') {
      const content = skippedCall(prefix + name).message;
      this.#answers.set(part, { value: { outcome: { content, is_error: true } } });
      return work();
    }
    const error = this.#errorAbove(prefix);
    if (error !== undefined) {
      this.#answers.set(part, { error });
      return work();
    }
    if (this.#end !== undefined) {
      this.#answers.set(part, { error: this.#end });
      await work().catch(() => undefined);
    }
    return this.#wait(part);
  }

  /** Its result is made again of its steps. */
  async #composite<Value>(part: string, prefix: string, work: () => Promise<Value>): Promise<Value> {
    if (prefix !== `${part}/`) return work();
    this.#open.add(part);
    try {
      return await work();
    } finally {
      this.#open.delete(part);
    }
  }

  #take(part: string): unknown {
    const answer = this.#answers.get(part);
    this.#answers.delete(part);
    if (answer === undefined) throw new Error('The run asks outside of its steps.');
    if ('error' in answer) throw toError(answer.error);
    return answer.value;
  }

  /** Why the task or agent around a step failed, if it is finished. */
  #errorAbove(prefix: string): RecordedError | undefined {
    for (let scope = prefix; scope !== ''; scope = scope.replace(/[^/]+\/$/, '')) {
      const result = this.#kept.get(`${scope}result`);
      if (typeof result === 'object') return (result.value as RunResult).error ?? undefined;
    }
    return undefined;
  }

  #wait(part: string): Promise<never> {
    this.#waiting.add(part);
    void this.#endIfAllWait();
    return abortable(new Promise<never>(() => undefined), this.signal);
  }

  async #endIfAllWait(): Promise<void> {
    // A task that has just ended may let others begin.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if ([...this.#open].every((part) => this.#waiting.has(part))) this.#over.abort(new CancelledError('The run was cut off here.'));
  }

  #partOf(place: string): string {
    return this.#isTeam ? place.split('/').slice(0, 3).join('/') : '';
  }
}

/** The outcome as the tool gave it: what reading it adds is left out, and its attempts are over. */
function toOutcome({ content, value, is_error, hints = {}, documents = [] }: ReadOutcome): ToolOutcome {
  return {
    content,
    ...(value !== undefined && { value }),
    ...(is_error && { is_error }),
    ...(Object.keys(hints).length > 0 && { hints }),
    ...(documents.length > 0 && { documents }),
  };
}
