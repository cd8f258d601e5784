import type { AskUnfinished, DurableSteps, StepOptions, UnfinishedStep } from '../../durable.js';
import type { KnownSecrets } from '../../ports.js';
import { coverJson } from '../../secrets/coverValue.js';
import type { RunJournal } from './journal.js';
import type { KeptSteps } from './readJournal.js';
import { skippedCall, unfinishedCall } from './unfinishedCall.js';

export interface JournalStepsOptions {
  readonly journal: RunJournal;
  /** Steps of earlier processes; each is removed when it is used. Default: none, the run is new. */
  readonly kept?: KeptSteps;
  /** Default: the run stops at an unfinished call. */
  readonly askUnfinished?: AskUnfinished | undefined;
  readonly knownSecrets?: KnownSecrets | undefined;
}

/**
 * The steps of one run, kept in the journal of this process. A value is masked before it is kept and returned, so that a resumed run, which works
 * with the kept values, comes to the same result.
 */
export function createJournalSteps({ journal, kept = new Map(), askUnfinished, knownSecrets }: JournalStepsOptions): DurableSteps {
  /** One question at a time: a person answers them. */
  let lastQuestion: Promise<unknown> = Promise.resolve();

  async function settle(name: string, describe: () => UnfinishedStep): Promise<void> {
    const unfinished = { ...describe(), step: name };
    const question = lastQuestion.then(() => askUnfinished?.(unfinished));
    lastQuestion = question.catch(() => undefined);
    const answer = await question;
    if (answer === 'repeat') return;
    if (answer === undefined) throw unfinishedCall(unfinished);
    await journal.add({ step: name, skipped: true });
    throw skippedCall(name);
  }

  async function step<Value>(scope: string, own: string, work: () => Promise<Value>, options: StepOptions | undefined): Promise<Value> {
    const name = scope + own;
    const earlier = kept.get(name);
    if (earlier !== undefined) kept.delete(name);
    if (typeof earlier === 'object' && options?.isComposite) for (const inner of keptIn(scope)) kept.delete(inner);
    // The kept value is what `work` returned, as JSON.
    if (typeof earlier === 'object') return earlier.value as Value;
    if (earlier === 'skipped') throw skippedCall(name);
    if (options?.once) {
      if (earlier === 'begun') await settle(name, options.once.describe);
      else await journal.add({ step: name, begun: true });
    }
    const value = await work();
    const text: string | undefined = JSON.stringify(value);
    const isClean = typeof value === 'object' && value !== null && knownSecrets?.isClean(value);
    const covered = text === undefined || isClean ? text : coverJson(text, knownSecrets);
    await journal.add({ step: name, value: covered });
    return covered === text ? value : (JSON.parse(covered ?? 'null') as Value);
  }

  const keptIn = (prefix: string) => [...kept.keys()].filter((name) => name.startsWith(prefix));
  const isResumed = kept.size > 0;
  /** @param line the scope in whose order this one is */
  const scoped = (prefix: string, line: string): DurableSteps => ({
    step: (name, work, options) => step(prefix, name, work, options),
    scope: (name, beside) => scoped(`${prefix}${name}/`, beside ? `${prefix}${name}/` : line),
    ...(isResumed && { earlier: { has: (name) => kept.has(prefix + name), isAhead: () => keptIn(line).length > 0 } }),
  });
  return scoped('', '');
}
