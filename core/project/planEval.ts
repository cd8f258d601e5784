import type { LoadedAgent } from '../agent/load/loadAgent.js';
import { Refused } from '../agent/load/refused.js';
import { loopLimits } from '../config/defaults.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { InputInvalidError } from '../errors.js';
import { chooseCanaries, type PlannedVerdict, planVerdicts } from '../eval/baseline/planVerdicts.js';
import { expectationsOf } from '../eval/readCases.js';
import { judgesOf, type PlannedCase, type PlannedComparison } from '../eval/runner/plan.js';
import { askedKey, testKey } from '../eval/verdictKey.js';
import type { BaselineReport } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import { createModelTable, type ModelTable } from '../llm/modelTable.js';
import { sumWorstCases, type WorstCase } from '../llm/worstCase.js';
import { assumedInput, type StaticFacts, staticWorstCase } from '../prompt/staticWorstCase.js';
import { cautiousTokens } from '../prompt/tokenBounds.js';
import { createFacts, orchestrationBounds } from '../rules/facts/orchestrationBounds.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import type { BaselineSources } from './adapters.js';
import { type ReadBaselines, readBaselines } from './baselines.js';
import type { EvalLoader } from './evalLoader.js';
import type { Project } from './types.js';

/** The source of verdicts for cases that need not run again. */
export interface CompareOptions {
  /** A git ref, a file or a folder. */
  readonly source: string;
  /** Default: 30. */
  readonly max_age_days?: number | undefined;
  /** Share from 0 to 1. Default: 0.02. */
  readonly canaries?: number | undefined;
}

export const defaultMaxAgeDays = 30;
export const defaultCanaries = 0.02;

export interface VerdictPlan {
  readonly cases: readonly PlannedCase[];
  readonly against: PlannedComparison | undefined;
  /** Agents and orchestrations without a baseline. */
  readonly unknown: readonly string[];
}

interface Questions {
  readonly project: Pick<Project, 'ports'>;
  readonly baselines: BaselineSources;
  readonly index: LoadedIndex;
  readonly loader: EvalLoader;
  readonly llms: readonly (string | null)[];
}

/** Determines for each case and profile what its verdict depends on, and whether it runs. @throws BaselineError, GitBaseError */
export async function planEval(
  facts: Questions,
  cases: readonly PlannedCase[],
  compare: CompareOptions | undefined,
  started: string,
): Promise<VerdictPlan> {
  const { llms, project, baselines, index } = facts;
  const { sha256 } = project.ports;
  const keys = await keysOf(facts, cases);
  const subjects = [...new Set(cases.map(({ subject }) => subject))];
  const read: ReadBaselines | undefined = compare && (await readBaselines(baselines, index, { source: compare.source, subjects }));
  const [today, max_age_days, canaries] = [
    started.slice(0, 10),
    compare?.max_age_days ?? defaultMaxAgeDays,
    compare?.canaries ?? defaultCanaries,
  ];
  const questions = cases.flatMap((tested, at) =>
    llms.map((llm, number) => ({
      case: tested.name,
      version: tested.version,
      llm,
      subject: tested.subject,
      repeats: tested.repeats,
      key: keys[at]?.asked[number] ?? null,
      test: keys[at]?.test ?? '',
    })),
  );
  const planned: PlannedVerdict[] = new Array(questions.length);
  for (const subject of subjects) {
    const own = [...questions.entries()].filter(([, question]) => question.subject === subject);
    const verdicts = planVerdicts(
      own.map(([, question]) => question),
      read?.verdicts.get(subject) ?? [],
      { today, max_age_days },
    );
    for (const [index, [at]] of own.entries()) planned[at] = verdicts[index] as PlannedVerdict;
  }
  const decided = read === undefined ? planned : chooseCanaries(planned, { today, canaries, sha256 });
  return {
    cases: cases.map((tested, at) => ({ ...tested, verdicts: decided.slice(at * llms.length, (at + 1) * llms.length) })),
    against: compare && read && { source: compare.source, commit: read.commit, max_age_days, canaries },
    unknown: read === undefined ? [] : subjects.filter((subject) => !read.verdicts.has(subject)),
  };
}

interface CaseKeys {
  readonly test: string;
  /** By profile. */
  readonly asked: readonly (string | null)[];
}

/** In the order of the cases. */
export async function keysOf(
  { project, loader, llms }: Pick<Questions, 'project' | 'loader' | 'llms'>,
  cases: readonly PlannedCase[],
): Promise<readonly CaseKeys[]> {
  const { sha256 } = project.ports;
  const keys: CaseKeys[] = [];
  for (const tested of cases) {
    const judges = new Map((await loadJudges(loader, tested)).map(([reference, { agent }]) => [reference, agent]));
    const asked: (string | null)[] = [];
    for (const llm of llms) {
      const loaded = await loader.load(tested, llm);
      asked.push(loaded instanceof Refused ? null : keyOf({ subject: subjectOf(loaded), tested, sha256 }));
    }
    keys.push({ test: testKey({ tested, judges, sha256 }), asked });
  }
  return keys;
}

function subjectOf(loaded: LoadedAgent | LoadedOrchestration) {
  return 'agent' in loaded ? loaded.agent : loaded.orchestration;
}

function keyOf(facts: Parameters<typeof askedKey>[0]): string | null {
  try {
    return askedKey(facts);
  } catch (error) {
    // Its run will be refused, with the reason.
    if (error instanceof InputInvalidError) return null;
    throw error;
  }
}

/** The judges of a case that can be loaded. */
async function loadJudges(loader: EvalLoader, tested: Pick<PlannedCase, 'turns'>): Promise<readonly (readonly [string, LoadedAgent])[]> {
  const judges: (readonly [string, LoadedAgent])[] = [];
  for (const reference of judgesOf(expectationsOf(tested))) {
    const judge = loader.judgeOf(reference);
    const loaded = judge && (await loader.load(judge, null));
    if (loaded !== undefined && !(loaded instanceof Refused) && 'agent' in loaded) judges.push([reference, loaded]);
  }
  return judges;
}

/** What an eval is going to do, reported before it costs anything. */
export interface EvalForecast {
  readonly counts: BaselineReport['counts'];
  /** Whether it is compared with a baseline. */
  readonly compared: boolean;
  /** Agents and orchestrations without a baseline. */
  readonly without_baseline: readonly string[];
  /** Of all cases that run. */
  readonly worst_case: WorstCase;
}

/** @param max_cost USD for the whole eval */
export async function forecastEval(facts: Questions, plan: VerdictPlan, max_cost: number | undefined): Promise<EvalForecast> {
  const { loader, llms, index } = facts;
  const models = createModelTable(index.settings.models);
  const counts = { total: 0, new: 0, changed: 0, test_changed: 0, expired: 0, repeats: 0, canary: 0, carried: 0 };
  const parts: { worst: WorstCase; times: number }[] = [];
  for (const planned of plan.cases) {
    for (const [number, { state }] of (planned.verdicts ?? []).entries()) {
      counts.total += 1;
      counts[state] += 1;
      if (state === 'carried') continue;
      const loaded = await loader.load(planned, llms[number] ?? null);
      if (loaded instanceof Refused) continue;
      const turns: AskedTurn[] = [];
      for (const turn of planned.turns) {
        const judges = (await loadJudges(loader, { turns: [turn] })).map(([, judge]) => judge);
        turns.push({ input: turn.input, judges });
      }
      const worst = worstOfCase(loaded, turns, models);
      if (worst !== undefined) parts.push({ worst, times: planned.repeats });
    }
  }
  const sum = sumWorstCases(parts);
  const worst = max_cost === undefined ? sum : { ...sum, limit: Math.min(sum.limit ?? max_cost, max_cost) };
  return { counts, compared: plan.against !== undefined, without_baseline: plan.unknown, worst_case: worst };
}

type Loaded = LoadedAgent | LoadedOrchestration;

interface AskedTurn {
  readonly input: JsonObject;
  readonly judges: readonly LoadedAgent[];
}

/** The most that one repeat of a case and its judges can use. Undefined if it makes no call because something cannot be loaded. */
function worstOfCase(loaded: Loaded, turns: readonly AskedTurn[], models: ModelTable): WorstCase | undefined {
  const parts: WorstCase[] = [];
  // Tokens of the turns so far, as the agent remembers them and as a judge is given them.
  let [history, conversation] = [0, 0];
  for (const { input, judges } of turns) {
    const own = worstOf(loaded, input, history, models);
    if (own === undefined) return undefined;
    const answers = own.completion_tokens ?? assumedInput;
    // The judge gets the answer twice: as text, and as its parsed value.
    const told = 2 * (answers / Math.max(1, own.calls)) + 2 * cautiousTokens(JSON.stringify(input));
    const tokens = told + conversation + assumedInput;
    parts.push(
      own,
      ...judges.flatMap((judge) => staticWorstCase({ ...factsOf(judge, models), input: { tokens, isAssumed: false } }) ?? []),
    );
    conversation += told;
    history += askedTokens(loaded, input) + answers + Math.max(0, own.calls - 1) * loopLimits.observation;
  }
  return sumWorstCases(parts.map((worst) => ({ worst, times: 1 })));
}

/** Tokens of what a session keeps of an input. */
function askedTokens(loaded: Loaded, input: JsonObject): number {
  if (!('agent' in loaded)) return 0;
  const asked = loaded.agent.prompt.compose(input).messages.filter(({ role }) => role === 'user');
  return asked.reduce((sum, { content }) => sum + cautiousTokens(content), 0);
}

/** The most that one run can use. Undefined if it makes no call because something cannot be loaded. @param history tokens of earlier turns */
export function worstOf(loaded: Loaded, input: JsonObject, history: number, models: ModelTable): WorstCase | undefined {
  if ('agent' in loaded) return staticWorstCase({ ...factsOf(loaded, models), payloads: [input], history });
  return orchestrationBounds({ resolved: loaded.resolved, models, assumed_input: cautiousTokens(JSON.stringify(input)) })?.run;
}

function factsOf({ agent, called }: LoadedAgent, models: ModelTable): StaticFacts {
  return createFacts(called, models)(agent.resolved);
}
