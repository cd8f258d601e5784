import { daysBetween } from '../../day.js';
import { compareNatural } from '../../names.js';
import { type BaselineVerdict, identityOf } from './baselineFile.js';

/**
 * Whether a case is run. `carried`: its verdict is carried over. `canary`: it could be carried over, but is run to see whether the model still
 * answers alike. The others are run because no verdict applies: `new`: there is none; `changed`: the request is different; `test_changed`: the input,
 * the expectations or a judge are different, so the old verdict is no comparison of agents; `expired`: it is too old; `repeats`: it has fewer repeats
 * than the case now requires.
 */
export type VerdictState = 'new' | 'changed' | 'test_changed' | 'expired' | 'repeats' | 'canary' | 'carried';

/** The decision about one case with one profile. */
export interface PlannedVerdict {
  /** `askedKey`; null if the agent cannot be loaded, or the input cannot be composed. */
  readonly key: string | null;
  /** `testKey`; null if the case is now judged differently than when it was run. */
  readonly test: string | null;
  readonly state: VerdictState;
  /** Its verdict in the baseline; null without one. */
  readonly before: BaselineVerdict | null;
}

export interface VerdictQuestion extends Pick<BaselineVerdict, 'case' | 'version' | 'llm'> {
  readonly key: string | null;
  readonly test: string;
  /** How often the case runs. */
  readonly repeats: number;
}

export interface CarryOptions {
  /** Day in UTC, `2026-05-01`. */
  readonly today: string;
  /** Days until a verdict expires, from 0. */
  readonly max_age_days: number;
  /** The share of the verdicts to carry over that is run again, from 0 to 1; at least one case if it is not 0. */
  readonly canaries: number;
  readonly sha256: (text: string) => string;
}

/** Decides which cases of an agent or orchestration have to be run. @returns in the order of `questions` */
export function planVerdicts(
  questions: readonly VerdictQuestion[],
  baseline: readonly BaselineVerdict[],
  { today, max_age_days }: Pick<CarryOptions, 'today' | 'max_age_days'>,
): readonly PlannedVerdict[] {
  const byKey = new Map<string, BaselineVerdict[]>();
  const byIdentity = new Map<string, BaselineVerdict>();
  const byCase = new Map<string, BaselineVerdict>();
  for (const verdict of baseline) {
    const whole = wholeKey(verdict);
    byKey.set(whole, [...(byKey.get(whole) ?? []), verdict]);
    byIdentity.set(identityOf(verdict), verdict);
    // The newest of other versions of the agent.
    const of = identityOf({ ...verdict, version: null });
    const newestVerdict = byCase.get(of);
    if (newestVerdict === undefined || compareNatural(verdict.version ?? '', newestVerdict.version ?? '') > 0) byCase.set(of, verdict);
  }
  return questions.map((question): PlannedVerdict => {
    const { key, test, repeats } = question;
    const sameIdentity = byIdentity.get(identityOf(question));
    // A renamed case has the same keys as before.
    const sameKeys = byKey.get(wholeKey(question)) ?? [];
    const match = sameKeys.find((verdict) => verdict === sameIdentity) ?? newestOf(sameKeys);
    if (match === undefined) {
      const before = sameIdentity ?? byCase.get(identityOf({ ...question, version: null })) ?? null;
      const state = before === null ? 'new' : before.test === test ? 'changed' : 'test_changed';
      return { key, test, state, before };
    }
    const age = daysBetween(match.date, today);
    // No eval writes a date in the future, which would never expire. Clocks may differ by a day.
    const state = age > max_age_days || age < -1 ? 'expired' : match.repeats < repeats ? 'repeats' : 'carried';
    return { key, test, state, before: match };
  });
}

/**
 * Turns some of the carried verdicts into canaries. The choice depends only on their keys and the day, so that evals on the same day run the same
 * canaries, and every case becomes one in time.
 */
export function chooseCanaries(verdicts: readonly PlannedVerdict[], { today, canaries, sha256 }: Omit<CarryOptions, 'max_age_days'>) {
  const carried = verdicts.filter(({ state }) => state === 'carried');
  const wanted = canaries <= 0 ? 0 : Math.max(1, Math.round(canaries * carried.length));
  const ranked = carried.map((verdict) => ({ verdict, rank: sha256(`${today} ${verdict.key}`) }));
  const chosen = new Set(
    ranked
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .slice(0, wanted)
      .map(({ verdict }) => verdict),
  );
  return verdicts.map((verdict): PlannedVerdict => (chosen.has(verdict) ? { ...verdict, state: 'canary' } : verdict));
}

function wholeKey({ key, test }: Pick<VerdictQuestion, 'key' | 'test'>): string {
  return `${key} ${test}`;
}

function newestOf(verdicts: readonly BaselineVerdict[]): BaselineVerdict | undefined {
  return verdicts.reduce<BaselineVerdict | undefined>(
    (newest, verdict) => (newest === undefined || verdict.date > newest.date ? verdict : newest),
    undefined,
  );
}
