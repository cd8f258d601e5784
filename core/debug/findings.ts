import type { FindingKind, FindingStop } from '../agent/gate.js';
import { errorTitle } from '../errorTitles.js';

interface FindingName {
  /** The filter of an editor. */
  readonly filter: string;
  /** The place of `--break`. */
  readonly place: string;
  readonly label: string;
  readonly description: string;
}

/** What may be found in a run, in the order in which it is listed. */
export const findingNames: { readonly [kind in FindingKind]: FindingName } = {
  repair: {
    filter: 'repair',
    place: 'on-repair',
    label: 'Repaired answers',
    description: 'After an answer whose JSON was repaired, or that took a default.',
  },
  retry: {
    filter: 'retry',
    place: 'on-retry',
    label: 'Retries',
    description: 'Where a model call or the step of a plan has failed and is tried again, before it waits.',
  },
  refused: {
    filter: 'refused-answer',
    place: 'on-refused',
    label: 'Refused answers',
    description: 'After an answer that does not fit, before another one is asked for.',
  },
  denied: {
    filter: 'denied-tool',
    place: 'on-denied',
    label: 'Denied tool calls',
    description: 'Where the policy or a person denied a call, before the model reads it.',
  },
  budget: {
    filter: 'budget-80',
    place: 'on-budget',
    label: '80 % of a budget',
    description: 'After the call with which 80 % of max_cost are spent.',
  },
  error: {
    filter: 'error',
    place: 'on-error',
    label: 'Errors',
    description: 'At an error that ends the run of an agent, with everything as it is then.',
  },
};

/** A finding in words: `The answer does not fit the schema (output-invalid)`, `Retries`. */
export function findingTitle({ kind, code, reason, tool }: FindingStop['finding']): string {
  if (code !== undefined && kind === 'error') return errorTitle(code, reason ?? null);
  const words = {
    repair: 'Answer repaired',
    retry: 'Tried again',
    refused: 'Answer refused',
    budget: 'Budget nearly spent',
    error: 'Error',
  };
  return kind === 'denied' ? `Call of ${tool} denied` : words[kind];
}
