import type { Json } from '../../json.js';
import type { VerdictState } from '../baseline/planVerdicts.js';
import type { BaselineVerdict } from '../baseline/readBaseline.js';
import type { Coverable } from '../coverage/types.js';
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
  /** What it was compared with; null where with nothing. */
  readonly baseline: BaselineReport | null;
  /** Each profile with the first one. Empty for one profile, and for simulated answers. */
  readonly comparisons: readonly ComparisonReport[];
  /** What the runs have reached, where that was asked for. */
  readonly coverage?: readonly Coverable[];
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
  /** `verdictKey`: cases of one key are judged alike. Null where the case could not be asked at all, or is judged otherwise now than when it was asked. */
  readonly key: string | null;
  /** What the baseline says of the case; absent where it says nothing, or nothing was compared. */
  readonly before?: BaselineVerdict;
  /** Whether the case was asked. `carried`: its passes are those of the baseline, and nothing was spent on them. Absent where nothing was compared. */
  readonly state?: VerdictState;
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

export interface BaselineReport {
  /** A git ref, or a file or folder, as it was given. */
  readonly source: string;
  /** Id of the commit that the ref named; null for a file. */
  readonly commit: string | null;
  /** Cases, each profile by itself, by why they were asked or not. */
  readonly counts: { readonly total: number } & Readonly<Record<VerdictState, number>>;
  /** `worse` where a suite is, else `better` where one is; null where nothing could be compared. */
  readonly verdict: Verdict | null;
  /** Each agent or orchestration and each profile with what the baseline says of it; carried cases are the same on both sides. */
  readonly comparisons: readonly ComparisonReport[];
  /** What canaries say of the model; null without any that could be judged. */
  readonly drift: DriftReport | null;
}

export interface DriftReport {
  /** Canaries that could be judged. */
  readonly canaries: number;
  /** Those that passed then and fail now, or the other way round. */
  readonly contradicted: readonly DriftedCase[];
  /** All canaries, paired by case: what the model makes of the same questions now. */
  readonly pass_rate: MeasureReport;
}

export interface DriftedCase {
  readonly subject: string;
  readonly version: string | null;
  readonly llm: string | null;
  readonly case: string;
  readonly before: BaselineVerdict;
  readonly passes: number;
  readonly judged: number;
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
