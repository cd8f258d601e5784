import { isObject, type Json } from '../../json.js';
import type { PlannedVerdict } from '../baseline/planVerdicts.js';
import type { EvalCase } from '../readCases.js';
import { type Random, randomOf } from '../statistics/random.js';

/** The subject of a case: an agent or an orchestration. */
export interface EvalSubject {
  readonly kind: 'agent' | 'orchestration';
  /** Its name. */
  readonly subject: string;
  /** Null for an orchestration. */
  readonly version: string | null;
}

/** A case of an eval. */
export interface PlannedCase extends EvalCase, EvalSubject {
  /** Project path of its file. */
  readonly file: string;
  /** For each of the plan's `llms`, the keys of its verdict and whether it is run. Absent in evals of earlier versions: all are run. */
  readonly verdicts?: readonly PlannedVerdict[];
}

/** The baseline of an eval. */
export interface PlannedComparison {
  /** A git ref, or a file or folder, as the user wrote it. */
  readonly source: string;
  /** Id of the commit that the ref pointed to; null for a file. */
  readonly commit: string | null;
  readonly max_age_days: number;
  /** Share, from 0 to 1. */
  readonly canaries: number;
}

/** An agent or orchestration, as frozen at the start of the eval. */
export interface EvalTarget extends EvalSubject {
  /** The llm profile that replaces its own; null if it uses its own. */
  readonly llm: string | null;
  /** Null if it could not be loaded. */
  readonly snapshot_hash: string | null;
}

/** The plan of an eval, stored before its first call. */
export interface EvalPlan {
  readonly format: 1;
  readonly eval_id: string;
  /** ISO 8601. */
  readonly started: string;
  /**
   * Seed of the order of the runs of a case, an integer below 2^32. Absent in evals of earlier versions, which ran one subject after the other.
   */
  readonly seed?: number;
  /** Name of the environment; null for the project's default. */
  readonly environment: string | null;
  /** The profiles of each case; null is the agent's own. At least one. */
  readonly llms: readonly (string | null)[];
  /** USD for all of it; null without a limit. */
  readonly max_cost: number | null;
  readonly allow_unpriced: boolean;
  /** Absent without a comparison. */
  readonly against?: PlannedComparison;
  /** The folder to record calls in, and the folder whose recordings replace models. */
  readonly record: string | null;
  readonly replay: string | null;
  /** The frozen subjects and judges of the cases. */
  readonly targets: readonly EvalTarget[];
  readonly cases: readonly PlannedCase[];
}

/** One repeat of a case. The numbers are indices in the plan. */
export interface Slot {
  readonly case: number;
  readonly llm: number;
  /** From 0. */
  readonly repeat: number;
}

/**
 * The repeats to run, case by case. The versions and profiles of a case alternate in an order that is drawn for each case and reversed with each
 * repeat: the first one warms the provider's cache, and the provider may be slow at times. So swapping two subjects within a case is equally likely,
 * as the paired test assumes.
 *
 * @param random default: from the plan's seed
 */
export function* slotsOf(
  { cases, llms, seed = 0 }: Pick<EvalPlan, 'cases' | 'llms' | 'seed'>,
  random: Random = randomOf(seed),
): Generator<Slot> {
  const subjectsByCase = new Map<string, Omit<Slot, 'repeat'>[]>();
  for (const [index, { kind, subject, file, name, verdicts }] of cases.entries()) {
    const key = `${kind} ${subject} ${file} ${name}`;
    const toRun = [...llms.keys()].filter((llm) => verdicts?.[llm]?.state !== 'carried').map((llm) => ({ case: index, llm }));
    subjectsByCase.set(key, [...(subjectsByCase.get(key) ?? []), ...toRun]);
  }
  for (const subjects of subjectsByCase.values()) {
    const order = shuffled(subjects, random);
    const repeats = Math.max(0, ...order.map((subject) => cases[subject.case]?.repeats ?? 0));
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const subject of repeat % 2 === 0 ? order : order.toReversed())
        if (repeat < (cases[subject.case]?.repeats ?? 0)) yield { ...subject, repeat };
    }
  }
}

/** Fisher-Yates shuffle: every order is equally likely. */
function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const drawn = Math.floor(random() * (last + 1));
    [order[last], order[drawn]] = [order[drawn]!, order[last]!];
  }
  return order;
}

export function countSlots({ cases, llms }: Pick<EvalPlan, 'cases' | 'llms'>): number {
  const profilesToRun = ({ verdicts }: PlannedCase) => llms.filter((_, llm) => verdicts?.[llm]?.state !== 'carried').length;
  return cases.reduce((sum, planned) => sum + planned.repeats * profilesToRun(planned), 0);
}

export function slotKey({ case: index, llm, repeat }: Slot): string {
  return `${index}/${llm}/${repeat}`;
}

/** The judges in expectations, each once, in order. */
export function judgesOf(expect: readonly Json[]): readonly string[] {
  const judges = new Set<string>();
  const waiting = [...expect].reverse();
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    if (Array.isArray(entry)) waiting.push(...[...entry].reverse());
    if (!isObject(entry)) continue;
    if (typeof entry.judge === 'string') judges.add(entry.judge);
    for (const part of [entry.not, entry.any]) if (part !== undefined) waiting.push(part);
  }
  return [...judges];
}
