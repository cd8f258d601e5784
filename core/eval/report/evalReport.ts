import type { Json } from '../../json.js';
import type { Attempts } from '../statistics/attempts.js';
import type { Verdict } from '../statistics/comparePaired.js';
import type { SuiteRate } from '../statistics/suiteRate.js';
import type { Interval } from '../statistics/wilsonInterval.js';
import type { Outcome } from '../types.js';

/** What an eval found: plain JSON, from which every format is made. Later versions may add fields; `format` changes where one goes or changes its meaning. */
export interface EvalReport {
  readonly format: 1;
  readonly eval_id: string;
  /** ISO 8601. */
  readonly started: string;
  /** `failed` where a case failed, else `unknown` where one is. */
  readonly outcome: Outcome;
  readonly cases: OutcomeCounts;
  readonly runs: OutcomeCounts;
  /** True where an answer came from the offline provider: then the numbers say nothing of a model. */
  readonly simulated: boolean;
  /** True where recordings answered: then latencies say nothing of a model. */
  readonly replayed: boolean;
  /** USD of all calls, judges and calls that were asked again included; the least it was where `cost_incomplete`. */
  readonly cost_usd: number;
  /** True where the price of a model is not known, or a call did not come to its end. */
  readonly cost_incomplete: boolean;
  /** One for each agent or orchestration and each profile. */
  readonly suites: readonly SuiteReport[];
  /** Each profile with the first one. Empty for one profile, and for simulated answers. */
  readonly comparisons: readonly ComparisonReport[];
}

/** `total` is the sum of the others. */
export interface OutcomeCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly unknown: number;
}

export interface SuiteReport {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Null for an orchestration. */
  readonly version: string | null;
  /** The profile that was asked for; null is the agent's own. */
  readonly llm: string | null;
  /** Model that answered; null where none did, for simulated answers, and for an orchestration. */
  readonly model_name: string | null;
  readonly simulated: boolean;
  readonly counts: OutcomeCounts;
  /** Over all runs that could be judged, with a standard error clustered by case; null where none could, and for simulated answers. */
  readonly pass_rate: SuiteRate | null;
  /** The smallest drop of the pass rate that these cases and repeats would show, as a share; null where they show none, or are too many to tell. */
  readonly detectable_drop: number | null;
  /** pass@k and pass^k over the cases that were judged more than once; null where none was, and for simulated answers. */
  readonly attempts: Attempts | null;
  readonly cases: readonly CaseReport[];
}

export interface CaseReport {
  /** `parser`, or in a data set `labels/three`. */
  readonly name: string;
  /** Project path. */
  readonly file: string;
  /** Where the case stands in it. */
  readonly pointer: string;
  readonly tags: readonly string[];
  readonly outcome: Outcome;
  /** True where the offline provider answered. */
  readonly simulated: boolean;
  readonly passes: number;
  /** Repeats that passed or failed. */
  readonly judged: number;
  readonly repeats: number;
  /** Share of repeats that has to pass. */
  readonly required_rate: number;
  /** 95 %, by Wilson; null where nothing could be judged, and for simulated answers. */
  readonly interval: Interval | null;
  /** Per run, over those where it is known; null where it is known of none. */
  readonly mean_cost_usd: number | null;
  readonly mean_latency_ms: number | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Why repeats did not pass, the most frequent first. */
  readonly reasons: readonly ReasonReport[];
  /** An answer that did not pass, the first; absent where all did. */
  readonly answer?: Json;
  /** The example answer of the case, where it has one. */
  readonly expected?: Json;
  readonly runs: readonly RunReport[];
}

export interface ReasonReport {
  /** The expectation in the file; the case itself where it was not asked. */
  readonly pointer: string;
  readonly outcome: 'failed' | 'unknown';
  /** A sentence. */
  readonly reason: string;
  /** Repeats with this reason. */
  readonly repeats: number;
  /** The two values, where the expectation compares one with another and failed. Absent where a value is missing. */
  readonly actual?: Json;
  readonly wanted?: Json;
}

export interface RunReport {
  /** From 1. */
  readonly repeat: number;
  readonly run_id: string;
  readonly outcome: Outcome;
  readonly cost_usd: number | null;
  readonly latency_ms: number;
}

export interface ComparisonReport {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  readonly version: string | null;
  readonly before: string | null;
  readonly after: string | null;
  /** Cases that could be judged with both. */
  readonly cases: number;
  readonly pass_rate: MeasureReport;
  readonly cost_usd: MeasureReport | null;
  readonly latency_ms: MeasureReport | null;
  /** Repeats of each case that would show a difference of this size; null where it is shown, is 0, or cases have to be added. */
  readonly repeats_to_show: number | null;
}

/** After less before, as a mean over the cases. */
export interface MeasureReport {
  readonly difference: number;
  /** 95 %. */
  readonly interval: Interval;
  /** Adjusted by Holm's method for all comparisons of the report. */
  readonly p_value: number;
  readonly verdict: Verdict;
}
