import { compareRates, type Difference, significance, type Verdict, verdictOf } from '../eval/statistics/comparePaired.js';
import { casesToShow, isNotWorse } from '../eval/statistics/notWorse.js';
import type { Counts } from '../eval/statistics/rates.js';

/** Numbers of the changed fields that are taken from after the change; all others are as before it. */
export type Mix = readonly number[];

/** What the cases say of one mix. */
export type AskedMix =
  | { readonly cases: ReadonlyMap<string, Counts>; readonly isCarried: boolean }
  /** Why its cases cannot be run: the fields do not fit together. */
  | { readonly fault: string };

export interface BlameSearch {
  /** How many fields changed, at least one. */
  readonly fields: number;
  /**
   * Runs the cases with mixes, in turns; none is asked twice but those with carried verdicts.
   *
   * @param mayCarry whether earlier verdicts will do
   * @returns in the order of `mixes`; undefined if nothing more may be asked
   */
  ask(mixes: readonly Mix[], mayCarry: boolean): Promise<readonly AskedMix[] | undefined>;
}

/** A difference of the pass rate, after minus before. */
export interface Evidence extends Difference {
  /** Cases that were judged on both sides. */
  readonly cases: number;
  /** `p_value`, adjusted for all questions of the search: at most 0.05 where a change is found. */
  readonly adjusted: number;
}

/**
 * `moved`: with one part, at least one of its fields moves the pass rate, so a part of one field is that field; with several parts, only fields of
 * all of them together do. `not_moved`: a move of more than the margin is ruled out. `cannot_tell`: neither is shown.
 */
export interface BlameFinding {
  readonly outcome: 'moved' | 'not_moved' | 'cannot_tell';
  readonly parts: readonly Mix[];
  /** Whether it is shown with all other fields as before. Else it is shown on top of other changes. */
  readonly isAlone: boolean;
  /** Absent where nothing could be compared. */
  readonly evidence?: Evidence;
  /** Cases without a difference that would rule a move out; absent if they are too many, and where that is not the question. */
  readonly more_cases?: number;
  /** Why its halves were not told apart; absent where the cases are too few. */
  readonly fault?: string;
}

export interface BlameResult {
  /** What all fields together do; its only part has all of them. */
  readonly whole: BlameFinding;
  /** Empty unless `whole` moved. */
  readonly findings: readonly BlameFinding[];
  /** Whether it ended early because nothing more may be asked. */
  readonly isStopped: boolean;
}

/** A pass rate that changes by less is no move: 10 percentage points. */
export const blameMargin = 0.1;

/** Of the level of a half: for its effect alone, and for its effect on top of the other half. */
const shares = { alone: 0.8, given: 0.2 } as const;

/** How many mixes a search asks at most, beside both ends: two halves of each group, and the ends once more if their verdicts were carried over. */
export function mostMixes(fields: number): number {
  return fields === 1 ? 0 : 2 + 2 * (fields - 1);
}

/**
 * Finds which of several changed fields moved the pass rate, by halving: the fields are split in two, the cases are asked with either half, and
 * halves with an effect are split again. Each half is compared without and with the other one, by the paired test, so that effects which need fields
 * of both are found too.
 *
 * A field without any effect is found to have one in at most 5 % of searches. The level of a group is spent on its halves in proportion to their
 * fields, and by each half on the two comparisons (0.8 and 0.2), whose findings lead to different mixes further down: at any depth, all comparisons
 * that a search could make share one level (Meinshausen (2008), "Hierarchical testing of variable importance"). Two single fields each have the whole
 * level of their pair, since at most one of them is without effect if the pair has one (Shaffer (1986), "Modified sequentially rejective multiple
 * test procedures").
 */
export async function findBlame({ fields, ask }: BlameSearch): Promise<BlameResult> {
  const all = [...new Array<undefined>(fields).keys()];
  const results = new Map<string, AskedMix>();
  let isStopped = false;
  /** Asks what is missing. */
  const askFor = async (mixes: readonly Mix[], mayCarry: boolean): Promise<void> => {
    const missing = mixes.filter((mix) => !results.has(keyOf(mix)));
    if (missing.length === 0 || isStopped) return;
    const answers = await ask(missing, mayCarry);
    isStopped = answers === undefined;
    for (const [index, answer] of (answers ?? []).entries()) results.set(keyOf(missing[index] as Mix), answer);
  };
  const compare = (before: Mix, after: Mix, level: number): Compared =>
    compareMixes(results.get(keyOf(before)), results.get(keyOf(after)), level);

  await askFor([[], all], true);
  const whole = compare([], all, significance);
  if (whole.verdict === 'no difference seen') return { whole: notMoved(all, whole, true), findings: [], isStopped };
  // Earlier verdicts and new ones are not of one day, and every mix would differ from the old ones if the model drifted.
  const ends = [[], all].filter((mix) => isCarried(results.get(keyOf(mix))));
  if (fields > 1) for (const mix of ends) results.delete(keyOf(mix));
  const findings = await split({ fields: all, context: [], level: significance, evidence: whole.evidence });
  return {
    whole: { outcome: 'moved', parts: [all], isAlone: true, ...(whole.evidence && { evidence: whole.evidence }) },
    findings,
    isStopped,
  };

  async function split({ fields: group, context, level, evidence }: Group): Promise<readonly BlameFinding[]> {
    const moved = (parts: readonly Mix[]): BlameFinding => ({
      outcome: 'moved',
      parts,
      isAlone: context.length === 0,
      ...(evidence && { evidence }),
    });
    if (group.length === 1) return [moved([group])];
    const middle = Math.ceil(group.length / 2);
    const [first, second] = [group.slice(0, middle), group.slice(middle)];
    const within = (...parts: readonly Mix[]): Mix => [...context, ...parts.flat()];
    await askFor([...(context.length === 0 ? ends : []), within(first), within(second)], false);
    const halves = [first, second].map((half, index): Half => {
      const sibling = index === 0 ? second : first;
      const halfLevel = group.length === 2 ? level : (level * half.length) / group.length;
      return {
        fields: half,
        sibling,
        level: halfLevel,
        alone: compare(context, within(half), halfLevel * shares.alone),
        given: compare(within(sibling), within(group), halfLevel * shares.given),
      };
    });
    const effects = halves.map(({ alone, given }) =>
      alone.verdict !== 'no difference seen' ? 'alone' : given.verdict !== 'no difference seen' ? 'given' : 'none',
    );
    const fault = halves.flatMap(({ alone, given }) => alone.fault ?? given.fault ?? [])[0];
    if (effects.every((effect) => effect === 'none')) return [{ ...moved([group]), ...(fault !== undefined && { fault }) }];
    const inHalves: BlameFinding[] = [];
    /** Of each half, what moved the pass rate. */
    const parts: (readonly Mix[])[] = [];
    for (const [index, half] of halves.entries()) {
      const effect = effects[index];
      if (effect === 'none') {
        inHalves.push(
          notMoved(
            half.fields,
            half.alone.evidence === undefined ? half.given : half.alone,
            half.alone.evidence !== undefined && context.length === 0,
          ),
        );
        parts.push([]);
        continue;
      }
      const isAlone = effect === 'alone';
      const inner = await split({
        fields: half.fields,
        context: isAlone ? context : within(half.sibling),
        level: half.level * (isAlone ? shares.alone : shares.given),
        evidence: (isAlone ? half.alone : half.given).evidence,
      });
      parts.push(inner.flatMap((finding) => (finding.outcome === 'moved' ? finding.parts : [])));
      inHalves.push(...inner);
    }
    if (!effects.includes('given') || effects.includes('none')) return inHalves;
    // A half that acts only on top of the other one, which has an effect too: they act together.
    const needed = new Set(effects.flatMap((effect, index) => (effect === 'given' ? (parts[index] ?? []).map(keyOf) : [])));
    const others = inHalves.filter(({ outcome, parts: named }) => outcome !== 'moved' || !named.some((part) => needed.has(keyOf(part))));
    return [...others, moved(parts.flat())];
  }
}

interface Group {
  readonly fields: Mix;
  /** Fields that are taken from after the change in every mix of this group. */
  readonly context: Mix;
  readonly level: number;
  /** Of the whole group in its context. */
  readonly evidence: Evidence | undefined;
}

interface Half {
  readonly fields: Mix;
  readonly sibling: Mix;
  readonly level: number;
  /** Its effect without the other half. */
  readonly alone: Compared;
  /** Its effect on top of the other half. */
  readonly given: Compared;
}

interface Compared {
  readonly verdict: Verdict;
  readonly evidence: Evidence | undefined;
  /** Of each case. */
  readonly differences: readonly number[];
  readonly fault: string | undefined;
}

function compareMixes(before: AskedMix | undefined, after: AskedMix | undefined, level: number): Compared {
  const fault = [before, after].flatMap((mix) => (mix !== undefined && 'fault' in mix ? mix.fault : []))[0];
  const [old, current] = [before, after].map((mix) => (mix !== undefined && 'cases' in mix ? mix.cases : new Map<string, Counts>()));
  const pairs = [...(old ?? [])].flatMap(([name, counts]) => {
    const later = current?.get(name);
    return later === undefined || counts.repeats === 0 || later.repeats === 0 ? [] : [{ before: counts, after: later }];
  });
  if (pairs.length === 0) return { verdict: 'no difference seen', evidence: undefined, differences: [], fault };
  const difference = compareRates(pairs);
  const adjusted = Math.min(1, (difference.p_value * significance) / level);
  return {
    verdict: verdictOf(difference, adjusted, 'better'),
    evidence: { ...difference, cases: pairs.length, adjusted },
    differences: pairs.map((pair) => pair.after.passes / pair.after.repeats - pair.before.passes / pair.before.repeats),
    fault,
  };
}

/** What has no effect that was found: that it has none is shown, or not known. */
function notMoved(fields: Mix, { differences, evidence, fault }: Compared, isAlone: boolean): BlameFinding {
  const opposite = differences.map((difference) => -difference);
  const isShown = isNotWorse(differences, blameMargin) && isNotWorse(opposite, blameMargin);
  const more = isShown ? [] : [differences, opposite].map((each) => casesToShow(each, blameMargin) ?? Number.POSITIVE_INFINITY);
  const most = Math.max(0, ...more);
  return {
    outcome: isShown ? 'not_moved' : 'cannot_tell',
    parts: [fields],
    isAlone,
    ...(evidence && { evidence }),
    ...(most > 0 && Number.isFinite(most) && { more_cases: most }),
    ...(fault !== undefined && { fault }),
  };
}

function isCarried(mix: AskedMix | undefined): boolean {
  return mix !== undefined && 'cases' in mix && mix.isCarried;
}

function keyOf(mix: Mix): string {
  return [...mix].sort((left, right) => left - right).join();
}
