import { daysBetween } from '../day.js';
import { inEnglish, listed, quoted, type Translate } from '../words.js';
import { isGoing, type ModelFacts, type ModelTable } from './modelTable.js';

/** Days until the provider stops answering; 0 or less when it has stopped. Undefined without a day. */
export function daysLeft({ ends }: Pick<ModelFacts, 'ends'>, asOf: string): number | undefined {
  return ends === undefined ? undefined : daysBetween(asOf, ends);
}

/** Where the successors of a model lead. */
export interface SuccessorChain {
  /** The successors in order, without the model itself. Of a circle, each model once. */
  readonly models: readonly string[];
  /**
   * `current`: the last one has no known end. `unknown`: nothing is known about the last one. `none`: the last one, or the model itself, ends and has
   * no successor. `circle`: the last one names a model that came before.
   */
  readonly outcome: 'current' | 'unknown' | 'none' | 'circle';
}

/** Follows the successors of a model until one stays. Only `current` gives a model to move to: the last. */
export function followSuccessors(models: Pick<ModelTable, 'find'>, model: string, provider: string): SuccessorChain {
  const names: string[] = [];
  const visited = new Set([models.find(model, provider)?.name ?? model]);
  for (let facts = models.find(model, provider); facts?.successor !== undefined; ) {
    const { successor } = facts;
    facts = models.find(successor, provider);
    if (visited.has(facts?.name ?? successor)) return { models: names, outcome: 'circle' };
    visited.add(facts?.name ?? successor);
    names.push(successor);
    if (facts === undefined) return { models: names, outcome: 'unknown' };
    if (!isGoing(facts)) return { models: names, outcome: 'current' };
  }
  return { models: names, outcome: 'none' };
}

/** `ends on 2026-12-11, in 14 days`; of a day that has come, `ended on 2026-10-23, 35 days ago`. Undefined without a day. */
export function endWords({ ends }: Pick<ModelFacts, 'ends'>, asOf: string | undefined, t: Translate = inEnglish): string | undefined {
  if (ends === undefined) return undefined;
  if (asOf === undefined) return t('ends on {0}', ends);
  const days = daysBetween(asOf, ends);
  if (days === 0) return t('ends on {0}, today', ends);
  if (days > 0) return days === 1 ? t('ends on {0}, in 1 day', ends) : t('ends on {0}, in {1} days', ends, days);
  return days === -1 ? t('ended on {0}, 1 day ago', ends) : t('ended on {0}, {1} days ago', ends, -days);
}

/** A sentence about the successors of a model; undefined if none is named. */
export function successorWords({ models, outcome }: SuccessorChain): string | undefined {
  const [first, ...more] = models;
  const last = more.at(-1);
  if (outcome === 'circle')
    return first === undefined ? 'It is named as its own successor.' : `Its successors lead in a circle: ${listed(models)}.`;
  if (first === undefined) return undefined;
  const chain =
    last === undefined ? `Its successor is ${quoted(first)}` : `Its successor ${quoted(first)} ends too and leads to ${quoted(last)}`;
  if (outcome === 'current') return `${chain}.`;
  return outcome === 'unknown' ? `${chain}, of which nothing is known.` : `${chain}, which ends without a successor.`;
}
