import { isObject, type Json } from '../../json.js';
import type { PlannedVerdict } from '../baseline/planVerdicts.js';
import type { EvalCase } from '../readCases.js';
import { type Random, randomOf } from '../statistics/random.js';

/** What a case asks: an agent or an orchestration. */
export interface EvalSubject {
  readonly kind: 'agent' | 'orchestration';
  /** Its name. */
  readonly subject: string;
  /** Null for an orchestration. */
  readonly version: string | null;
}

/** A case that an eval asks. */
export interface PlannedCase extends EvalCase, EvalSubject {
  /** Project path of its file. */
  readonly file: string;
  /** For each of the plan's `llms` what its verdict depends on, and whether it is asked. Absent in evals of earlier versions: all are asked. */
  readonly verdicts?: readonly PlannedVerdict[];
}

/** What an eval compares with. */
export interface PlannedComparison {
  /** A git ref, or a file or folder, as it was given. */
  readonly source: string;
  /** Id of the commit that the ref named then; null for a file. */
  readonly commit: string | null;
  readonly max_age_days: number;
  /** Share, from 0 to 1. */
  readonly canaries: number;
}

/** An agent or orchestration as it was frozen when the eval began. */
export interface EvalTarget extends EvalSubject {
  /** The llm profile in place of its own; null where it has its own. */
  readonly llm: string | null;
  /** Null where it could not be loaded. */
  readonly snapshot_hash: string | null;
}

/** All that an eval asks, kept before it asks anything. */
export interface EvalPlan {
  readonly format: 1;
  readonly eval_id: string;
  /** ISO 8601. */
  readonly started: string;
  /**
   * Of the order in which the runs of a case are made, a whole number below 2^32. Absent in evals of earlier versions, which asked one subject
   * after the other.
   */
  readonly seed?: number;
  /** Of the project; null where it is its default. */
  readonly environment: string | null;
  /** Profiles that each case is asked with; null is the agent's own. At least one. */
  readonly llms: readonly (string | null)[];
  /** USD for all of it; null without a limit. */
  readonly max_cost: number | null;
  readonly allow_unpriced: boolean;
  /** Absent where it is compared with nothing. */
  readonly against?: PlannedComparison;
  /** Folder that the calls are recorded in, and one that answers in place of models. */
  readonly record: string | null;
  readonly replay: string | null;
  /** What the cases and their judges were frozen to. */
  readonly targets: readonly EvalTarget[];
  readonly cases: readonly PlannedCase[];
}

/** One run that an eval makes. The numbers are indices in the plan. */
export interface Slot {
  readonly case: number;
  readonly llm: number;
  /** From 0. */
  readonly repeat: number;
}

/**
 * The runs that are made, case by case. The versions and profiles that a case is asked with take turns, in an order that is drawn for each case and
 * turned around with each repeat: whoever comes first warms the provider's cache, and the others find it slow or fast as it is then. So swapping
 * two of
 * them within a case is as likely as not, which is what the paired test supposes.
 *
 * @param random default: of the plan's seed
 */
export function* slotsOf(
  { cases, llms, seed = 0 }: Pick<EvalPlan, 'cases' | 'llms' | 'seed'>,
  random: Random = randomOf(seed),
): Generator<Slot> {
  const turns = new Map<string, Omit<Slot, 'repeat'>[]>();
  for (const [index, { kind, subject, file, name, verdicts }] of cases.entries()) {
    const key = `${kind} ${subject} ${file} ${name}`;
    const asked = [...llms.keys()].filter((llm) => verdicts?.[llm]?.state !== 'carried').map((llm) => ({ case: index, llm }));
    turns.set(key, [...(turns.get(key) ?? []), ...asked]);
  }
  for (const subjects of turns.values()) {
    const order = shuffled(subjects, random);
    const repeats = Math.max(0, ...order.map((subject) => cases[subject.case]?.repeats ?? 0));
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const subject of repeat % 2 === 0 ? order : order.toReversed())
        if (repeat < (cases[subject.case]?.repeats ?? 0)) yield { ...subject, repeat };
    }
  }
}

/** Fisher and Yates: every order is as likely. */
function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const drawn = Math.floor(random() * (last + 1));
    [order[last], order[drawn]] = [order[drawn]!, order[last]!];
  }
  return order;
}

export function countSlots({ cases, llms }: Pick<EvalPlan, 'cases' | 'llms'>): number {
  const asked = ({ verdicts }: PlannedCase) => llms.filter((_, llm) => verdicts?.[llm]?.state !== 'carried').length;
  return cases.reduce((sum, planned) => sum + planned.repeats * asked(planned), 0);
}

export function slotKey({ case: index, llm, repeat }: Slot): string {
  return `${index}/${llm}/${repeat}`;
}

/** The judges that expectations name, each once, in order. */
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
