import type { RunResult } from '../agent/events.js';
import type { LoadedAgent } from '../agent/load/loadAgent.js';
import type { Refused } from '../agent/load/refused.js';
import { SharedBudget } from '../agent/sharedBudget.js';
import { parseConfigObject } from '../config/parseConfigFile.js';
import { ResumeError, UnknownCaseError } from '../errors.js';
import { type EvalCase, expectationsOf, readCases } from '../eval/readCases.js';
import { carriedCase, reportCase } from '../eval/report/reportCase.js';
import { reportEval } from '../eval/report/reportEval.js';
import {
  createResultWriter,
  type EvalFiles,
  findEval,
  type KeptEval,
  type KeptRun,
  keepReport,
  readEval,
  writePlan,
} from '../eval/runner/evalStore.js';
import type { EvalPlan, PlannedCase } from '../eval/runner/plan.js';
import { type EvalCall, type EvalProgress, type RunEvalOptions, runEval } from '../eval/runner/runEval.js';
import { type CaseSelection, refuseFaultyCases, selectCases } from '../eval/runner/selectCases.js';
import type { CaseReport, EvalReport } from '../generated/types.js';
import { loadPatterns, type Patterns } from '../routing/patterns.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import type { ApproveTool } from '../tools/types.js';
import { plural } from '../words.js';
import { readOwnBaseline, type SavedBaseline, saveBaselines } from './baselines.js';
import { createLoader, type EvalLoader, type EvalProject } from './evalLoader.js';
import { type CompareOptions, type EvalForecast, forecastEval, keysOf, planEval } from './planEval.js';
import type { Project } from './types.js';

/** Options that are not part of an eval's plan, and may differ when it is resumed. */
export interface EvalWork {
  /** Runs at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly approve?: ApproveTool;
  readonly onProgress?: (progress: EvalProgress) => void;
  /** Called when the first run of a case begins. */
  readonly onStart?: (planned: PlannedCase) => void;
  /** Called when all runs of a case with one profile have ended; `runs` is empty if its verdict is carried over. Not called for an interrupted case. */
  readonly onCase?: (planned: PlannedCase, report: CaseReport, runs: readonly KeptRun[]) => void;
  /** Called with a comparison to a baseline, before anything costs money. */
  readonly onForecast?: (forecast: EvalForecast) => void;
}

export interface NewEval extends CaseSelection {
  /** Selects among the named cases. Default: all. */
  readonly only?: (planned: PlannedCase) => boolean;
  /** Ids of the profiles that each case runs with; null is the agent's own. Empty: only that. */
  readonly llms: readonly (string | null)[];
  /** USD for the whole eval. */
  readonly max_cost?: number | undefined;
  readonly allow_unpriced?: boolean | undefined;
  /** Folders, absolute. */
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
  /** Baselines whose verdicts are carried over if nothing changed. */
  readonly against?: CompareOptions | undefined;
  /** Whether the verdicts will be saved (`saveEval`): a baseline that cannot be merged with is refused before anything is asked. */
  readonly save_baseline?: boolean | undefined;
}

/**
 * Runs the cases of a project and keeps the results in `.agentstack/evals/{eval_id}`.
 *
 * @throws UnknownCaseError if no case is found, ConfigInvalidError for cases that cannot run, BaselineError, GitBaseError, StorageError
 */
export async function startEval(place: EvalProject, options: NewEval, work: EvalWork): Promise<EvalReport> {
  const { project, environment } = place;
  const { ports } = project;
  const prepared = await prepare(place, options);
  const { index, loader, llms, started } = prepared;
  const { cases, against } = prepared.verdicts;
  if (options.save_baseline)
    for (const subject of new Set(cases.map((planned) => planned.subject))) await readOwnBaseline(project, index, subject);
  if (against !== undefined) work.onForecast?.(await forecastEval(prepared, prepared.verdicts, options.max_cost));
  const plan: EvalPlan = {
    format: 1,
    eval_id: ports.random.id(),
    started,
    seed: Math.floor(ports.random.next() * 2 ** 32),
    environment: environment ?? null,
    llms,
    max_cost: options.max_cost ?? null,
    allow_unpriced: options.allow_unpriced ?? false,
    record: options.record ?? null,
    replay: options.replay ?? null,
    ...(against && { against }),
    targets: await loader.targets(cases, llms),
    cases,
  };
  const kept = { plan, runs: new Map(), spent: 0, spent_incomplete: false, next: 1 };
  return withLock(place, plan.eval_id, async () => {
    await writePlan(filesOf(place), plan);
    return runPlan(place, kept, loader, work);
  });
}

/** The calls of `startEval` and their maximum cost. Makes no call and keeps nothing. @throws as `startEval` */
export async function estimateEval(place: EvalProject, options: NewEval): Promise<EvalForecast> {
  const prepared = await prepare(place, options);
  return forecastEval(prepared, prepared.verdicts, options.max_cost);
}

/** Writes the verdicts of an eval into `config/baselines`. @throws BaselineError, StorageError; a file that was not written is unchanged */
export async function saveEval({ project }: EvalProject, report: EvalReport): Promise<readonly SavedBaseline[]> {
  return saveBaselines(project, await project.index(), report);
}

async function prepare(place: EvalProject, options: NewEval) {
  const { project, adapters } = place;
  const { ports } = project;
  const index = await project.index();
  const selected = await selectCases(index, ports.files, options);
  const cases = options.only === undefined ? selected : selected.filter(options.only);
  if (cases.length === 0)
    throw new UnknownCaseError('None of the chosen cases is there any more, or none has "expect". Nothing was asked.');
  const llms = options.llms.length === 0 ? [null] : options.llms;
  const loader = createLoader(place, index);
  await refuseFaultyCases(cases, {
    index,
    ports,
    environment: place.environment,
    // The cases are those of the files as they are, whatever another state refuses.
    load: (subject) => loader.load(subject, llms.find((llm) => llm === null || place.states?.has(llm) !== true) ?? null),
  });
  const started = new Date(ports.clock.now()).toISOString();
  const facts = { project, baselines: adapters.baselines, index, loader, llms };
  return { ...facts, started, verdicts: await planEval(facts, cases, options.against, started) };
}

/**
 * Runs the remaining cases of an eval, as they were when it began.
 *
 * @param id its first characters, or `last`
 * @throws ResumeError if an agent has changed, UnknownCaseError if there is no such eval
 */
export async function resumeEval(place: EvalProject, id: string, work: EvalWork): Promise<EvalReport> {
  const eval_id = await findEval(place.project.ports.files, id);
  return withLock(place, eval_id, async () => {
    const kept = await readEval(filesOf(place), eval_id);
    const { plan } = kept;
    const same = { ...place, environment: plan.environment ?? undefined };
    const loader = createLoader(same, await place.project.index());
    const targets = await loader.targets(plan.cases, plan.llms);
    const changed = plan.targets.filter(({ snapshot_hash }, index) => snapshot_hash !== targets[index]?.snapshot_hash);
    if (changed.length > 0) {
      const names = changed.map(({ subject, version }) => (version === null ? subject : `${subject}@${version}`)).join(', ');
      throw new ResumeError(
        eval_id,
        `The eval ${eval_id} cannot be resumed: ${names} changed since it began, so its runs would not be of one config. Start it anew, or restore the files.`,
      );
    }
    // No file of the project has the facts about a model: another version of Agent Stack may have others.
    const keys = await keysOf({ project: place.project, loader, llms: plan.llms }, plan.cases);
    const moved = plan.cases.filter(({ verdicts = [] }, at) => verdicts.some(({ key }, llm) => key !== keys[at]?.asked[llm]));
    if (moved.length > 0)
      throw new ResumeError(
        eval_id,
        `The eval ${eval_id} cannot be resumed: the requests of ${plural(moved.length, 'case')} are not those that it began with, though no file changed; another version of Agent Stack knows other facts about the model. Start it anew.`,
      );
    return runPlan(same, kept, loader, work);
  });
}

/**
 * Grades a kept eval by the current expectations, without a call. A case that was removed, has no more expectations or has another input keeps its
 * old expectations.
 *
 * @param id its first characters, or `last`
 */
export async function gradeEval(place: EvalProject, id: string): Promise<EvalReport> {
  const { files } = place.project.ports;
  const kept = await readEval(filesOf(place), await findEval(files, id));
  const index = await place.project.index();
  const wanted = new Set(kept.plan.cases.map(({ file }) => file));
  const now = new Map<string, EvalCase>();
  for (const [name, file] of index.ids('payload')) {
    if (!wanted.has(file)) continue;
    const value = parseConfigObject(await files.readText(file));
    for (const current of readCases(name.slice(name.indexOf('/') + 1), value ?? {})) now.set(`${file} ${current.name}`, current);
  }
  const cases = kept.plan.cases.map((planned): PlannedCase => {
    const current = now.get(`${planned.file} ${planned.name}`);
    const inputsOf = (tested: EvalCase) => JSON.stringify(tested.turns.map(({ input }) => input));
    if (current === undefined || expectationsOf(current).length === 0 || inputsOf(current) !== inputsOf(planned)) return planned;
    const { pointer, turns, pass_rate } = current;
    // With other expectations, its key no longer applies.
    const testOf = (tested: EvalCase) =>
      JSON.stringify(tested.turns.map(({ expect, expected }) => [expect.map(({ entry }) => entry), expected]));
    const isSame = testOf(current) === testOf(planned);
    const verdicts = isSame
      ? planned.verdicts
      : planned.verdicts?.map((verdict) => ({
          ...verdict,
          test: null,
          state: verdict.before === null ? verdict.state : ('test_changed' as const),
        }));
    return { ...planned, pointer, turns, pass_rate, ...(verdicts && { verdicts }) };
  });
  return reportEval({ ...kept, plan: { ...kept.plan, cases } }, await loadPatterns());
}

export function filesOf({ adapters, project: { ports } }: EvalProject): EvalFiles {
  return { files: ports.files, storage: adapters.storage, knownSecrets: ports.knownSecrets };
}

/** Two processes that resume one eval would pay for each call twice. */
async function withLock(place: EvalProject, eval_id: string, work: () => Promise<EvalReport>): Promise<EvalReport> {
  const lock = await place.adapters.locks.acquire(eval_id);
  if ('held_by' in lock) {
    const { held_by, is_seen } = lock;
    throw new ResumeError(
      eval_id,
      is_seen
        ? `The eval ${eval_id} is running: ${held_by} has it. Wait for its end.`
        : `The eval ${eval_id} belongs to ${held_by}, which cannot be seen from here. If it is certainly gone, free the eval with \`npx agent-stack eval unlock ${eval_id}\` and resume again.`,
    );
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function runPlan(place: EvalProject, kept: KeptEval, loader: EvalLoader, work: EvalWork): Promise<EvalReport> {
  const { project } = place;
  const { plan, spent, spent_incomplete } = kept;
  const patterns = await loadPatterns();
  const budget = plan.max_cost === null ? undefined : new SharedBudget(plan.max_cost, spent);
  const writer = await createResultWriter(filesOf(place), plan.eval_id, kept.next);
  let total = { spent, spent_incomplete };
  const slots = followCases(plan, patterns, work);
  if (work.onCase !== undefined) reportCarried(plan, work.onCase);
  const runs = await runEval({
    plan,
    kept: kept.runs,
    spent,
    spent_incomplete,
    writer,
    process: kept.next,
    run: (call) => runCase(project, loader, { call, plan, budget, approve: work.approve }),
    judgeOf: loader.judgeOf,
    patterns,
    concurrency: work.concurrency,
    signal: work.signal,
    onProgress(progress) {
      total = progress;
      work.onProgress?.(progress);
    },
    ...slots,
  });
  const report = reportEval({ ...total, plan, runs }, patterns);
  await keepReport(filesOf(place), report);
  return report;
}

/** Reports cases whose verdicts are carried over: they have no runs. */
function reportCarried({ cases }: EvalPlan, onCase: NonNullable<EvalWork['onCase']>): void {
  for (const planned of cases) {
    for (const verdict of planned.verdicts ?? []) if (verdict.state === 'carried') onCase(planned, carriedCase(planned, verdict), []);
  }
}

/** Reports cases as their runs begin and end. */
function followCases(plan: EvalPlan, patterns: Patterns, { onStart, onCase }: EvalWork): Pick<RunEvalOptions, 'onStart' | 'onRun'> {
  const begun = new Set<number>();
  const runsByCase = new Map<string, (KeptRun | undefined)[]>();
  const caseAt = (index: number): PlannedCase => {
    const planned = plan.cases[index];
    if (planned === undefined) throw new Error('A slot is not in its plan.');
    return planned;
  };
  return {
    ...(onStart && {
      onStart(slot) {
        if (!begun.has(slot.case)) onStart(caseAt(slot.case));
        begun.add(slot.case);
      },
    }),
    ...(onCase && {
      onRun(slot, run) {
        const planned = caseAt(slot.case);
        const key = `${slot.case}/${slot.llm}`;
        const runs = runsByCase.get(key) ?? Array.from<undefined>({ length: planned.repeats });
        runsByCase.set(key, runs);
        runs[slot.repeat] = run;
        const all = runs.filter((run) => run !== undefined);
        if (all.length < planned.repeats) return;
        runsByCase.delete(key);
        onCase(
          planned,
          reportCase(planned, all, patterns, { verdict: planned.verdicts?.[slot.llm], isCompared: plan.against !== undefined }),
          all,
        );
      },
    }),
  };
}

interface CaseRun {
  readonly call: EvalCall;
  readonly plan: EvalPlan;
  readonly budget: SharedBudget | undefined;
  readonly approve: ApproveTool | undefined;
}

async function runCase(project: Project, loader: EvalLoader, { call, plan, budget, approve }: CaseRun): Promise<RunResult> {
  const { max_cost, allow_unpriced, record } = plan;
  const replay = plan.replay === null ? await loader.recordOf(call) : `${plan.replay}/${call.record}`;
  const limits = { ...(max_cost !== null && { max_cost }), ...(allow_unpriced && { allow_unpriced }) };
  const options = {
    signal: call.signal,
    delivery: 'call' as const,
    context: {
      ...(Object.keys(limits).length > 0 && { budget: limits }),
      // Of the place alone, so that a recording of the conversation can be replayed.
      ...(call.conversation && { session_id: `eval-${project.ports.sha256(call.conversation.place).slice(0, 16)}` }),
    },
    ...(budget && { spending: budget }),
    ...(approve && { approve }),
    ...(record !== null && { record: `${record}/${call.record}` }),
    ...(replay !== undefined && record === null && { replay }),
  };
  const loaded = await loader.load(call, call.llm);
  const events =
    call.kind === 'agent'
      ? project.run({
          agent: loaded as LoadedAgent | Refused,
          payload: call.input,
          ...(call.conversation && { sessions: call.conversation.sessions }),
          ...options,
        })
      : project.orchestrate({ orchestration: loaded as LoadedOrchestration | Refused, input: call.input, ...options });
  for await (const event of events) if (event.final) return event.result;
  throw new Error('The run ended without a final event');
}
