import { coverValue } from '../../config/coverValue.js';
import { mayHoldSecret } from '../../config/secretPatterns.js';
import type { AskUnfinished, DurableSteps, StepOptions, UnfinishedStep } from '../../durable.js';
import type { Json } from '../../json.js';
import type { RunJournal } from './journal.js';
import type { KeptSteps } from './readJournal.js';
import { skippedCall, unfinishedCall } from './unfinishedCall.js';

export interface JournalStepsOptions {
  readonly journal: RunJournal;
  /** What earlier processes left; what is handed back is taken out of it. Default: nothing, the run is new. */
  readonly kept?: KeptSteps;
  /** Default: nobody knows what became of unfinished calls, and the run stops there. */
  readonly askUnfinished?: AskUnfinished | undefined;
}

/** The steps of one run, kept in the journal of this process. Values are kept without secrets. */
export function createJournalSteps({ journal, kept = new Map(), askUnfinished }: JournalStepsOptions): DurableSteps {
  /** One question at a time: a person answers them. */
  let asked: Promise<unknown> = Promise.resolve();

  async function settle(name: string, describe: () => UnfinishedStep): Promise<void> {
    const unfinished = { ...describe(), step: name };
    const question = asked.then(() => askUnfinished?.(unfinished));
    asked = question.catch(() => undefined);
    const answer = await question;
    if (answer === 'repeat') return;
    if (answer === undefined) throw unfinishedCall(unfinished);
    await journal.add({ step: name, skipped: true });
    throw skippedCall(name);
  }

  async function step<Value>(name: string, work: () => Promise<Value>, options: StepOptions | undefined): Promise<Value> {
    const earlier = kept.get(name);
    if (earlier !== undefined) kept.delete(name);
    // What was kept is what `work` gave, through JSON.
    if (typeof earlier === 'object') return earlier.value as Value;
    if (earlier === 'skipped') throw skippedCall(name);
    if (options?.once) {
      if (earlier === 'begun') await settle(name, options.once.describe);
      else await journal.add({ step: name, begun: true });
    }
    const value = await work();
    await journal.add({ step: name, value: textWithoutSecrets(value) });
    return value;
  }

  const under = (prefix: string): DurableSteps => ({
    step: (name, work, options) => step(prefix + name, work, options),
    scope: (name) => under(`${prefix}${name}/`),
  });
  return under('');
}

function textWithoutSecrets(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined || !mayHoldSecret(text)) return text;
  const read = JSON.parse(text) as Json;
  const covered = coverValue(read);
  return covered === read ? text : JSON.stringify(covered);
}
