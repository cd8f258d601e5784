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

/** Case by case, so that a provider's cache of prompts serves all repeats of one. */
export function* slotsOf({ cases, llms }: Pick<EvalPlan, 'cases' | 'llms'>): Generator<Slot> {
  for (const [index, { repeats }] of cases.entries()) {
    for (const llm of llms.keys()) for (let repeat = 0; repeat < repeats; repeat++) yield { case: index, llm, repeat };
  }
}

export function countSlots({ cases, llms }: Pick<EvalPlan, 'cases' | 'llms'>): number {
  return cases.reduce((sum, { repeats }) => sum + repeats, 0) * llms.length;
}

export function slotKey({ case: index, llm, repeat }: Slot): string {
  return `${index}/${llm}/${repeat}`;
}
