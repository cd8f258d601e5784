import { isObject, type Json } from '../../json.js';
import type { PlannedVerdict } from '../baseline/planVerdicts.js';
import type { EvalCase } from '../readCases.js';

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

/** The runs that are made, case by case, so that a provider's cache of prompts serves all repeats of one. */
export function* slotsOf({ cases, llms }: Pick<EvalPlan, 'cases' | 'llms'>): Generator<Slot> {
  for (const [index, { repeats, verdicts }] of cases.entries()) {
    for (const llm of llms.keys()) {
      if (verdicts?.[llm]?.state === 'carried') continue;
      for (let repeat = 0; repeat < repeats; repeat++) yield { case: index, llm, repeat };
    }
  }
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
