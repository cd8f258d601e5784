import { unlessRefused } from '../agent/load/refused.js';
import { AgentStackError } from '../agentStackError.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { selectCases } from '../eval/runner/selectCases.js';
import { sumWorstCases, type WorstCase } from '../llm/worstCase.js';
import type { EvalProject, LoadSubject } from '../project/evalLoader.js';
import { type EvalWork, estimateEval, type NewEval, startEval } from '../project/evals.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { type AskedMix, type BlameFinding as FoundBlame, findBlame, type Mix, mostMixes } from './blame.js';
import type { FrozenSource } from './comparedSide.js';
import type { CompareProjectsRequest } from './compareProjects.js';
import { freezeSubject } from './freezeSubject.js';
import { type MixedSubject, mixSubject } from './mixedSubject.js';
import { type FittedFields, fitFields } from './mixFaults.js';
import type { Blame, BlameFinding, ChangedField, SubjectDiff } from './types.js';
import { isTested } from './verdicts.js';

/** The subjects of a comparison, and how to get at both sides of each. */
export interface BlameRequest {
  readonly subjects: readonly SubjectDiff[];
  /** Of the files with the cases. */
  readonly index: LoadedIndex;
  readonly environment: string;
  /** A commit or a folder whose verdicts are carried over. */
  readonly against?: string;
  /** Both sides of a subject; the reason where one cannot run. Undefined for a subject that is left out. */
  sidesOf(subject: SubjectDiff): Promise<readonly [FrozenSource, FrozenSource] | string | undefined>;
}

/** Of a project at a commit and now. Cases belong to the newest version of an agent. */
export function blameRequestOf(
  place: EvalProject,
  { before, after }: Pick<CompareProjectsRequest, 'before' | 'after'>,
  subjects: readonly SubjectDiff[],
  commit: string,
): BlameRequest {
  const { index } = after;
  const environment = place.environment ?? index.settings.environment;
  return {
    subjects,
    index,
    environment,
    against: commit,
    async sidesOf(subject) {
      const isPaired = subject.state === 'changed' || subject.state === 'new_version';
      if (!isPaired || !(await isTested(place, index, subject, environment))) return undefined;
      const schemas = await loadSchemaCompiler();
      const old = await freezeSubject({ ...before, schemas }, subject.compared_with ?? subject, environment);
      const current = await freezeSubject({ ...after, schemas }, subject, environment);
      const broken = [...(await old.errors()), ...(await current.errors())][0];
      if (broken === undefined && old.snapshot !== undefined && current.snapshot !== undefined) return [old.snapshot, current.snapshot];
      return `It cannot run on one side${broken === undefined ? '.' : `: ${broken.message}`}`;
    },
  };
}

/** A subject whose search is ready to run. */
export interface PreparedBlame {
  readonly subject: SubjectDiff;
  readonly cases: number;
  /** Fields that the search tells apart. */
  readonly fields: number;
  /** Of all mixes that the search may need. */
  readonly worst_case: WorstCase;
  /** @param max_cost USD */
  run(work: EvalWork, max_cost: number | undefined): Promise<Blame>;
}

/** A subject whose cases need not run, or cannot. */
export interface UnaskedBlame {
  readonly subject: SubjectDiff;
  readonly blame: Blame;
}

/** Prepares the search for each changed subject that has cases; asks nothing. @param repeats in place of those of the cases */
export async function prepareBlames(
  place: EvalProject,
  request: BlameRequest,
  repeats: number | undefined,
): Promise<readonly (PreparedBlame | UnaskedBlame)[]> {
  const prepared: (PreparedBlame | UnaskedBlame)[] = [];
  for (const subject of request.subjects) {
    try {
      const sides = await request.sidesOf(subject);
      if (typeof sides === 'string') prepared.push({ subject, blame: { ...nothingAsked(request.environment), why: sides } });
      else if (sides !== undefined) prepared.push(await prepareBlame(place, request, { subject, sides, repeats }));
    } catch (error) {
      if (!(error instanceof AgentStackError)) throw error;
      prepared.push({ subject, blame: { ...nothingAsked(request.environment), why: error.message } });
    }
  }
  return prepared;
}

function nothingAsked(environment: string): Blame {
  return {
    environment,
    all: null,
    findings: [],
    joined: [],
    not_sent: [],
    cases: 0,
    refused_cases: 0,
    mixes: 0,
    runs: 0,
    unjudged_runs: 0,
    cost_usd: 0,
    cost_incomplete: false,
    max_cost_usd: null,
    why: null,
  };
}

interface SidesOfSubject {
  readonly subject: SubjectDiff;
  readonly sides: readonly [FrozenSource, FrozenSource];
  readonly repeats: number | undefined;
}

async function prepareBlame(
  place: EvalProject,
  { index, environment, against }: BlameRequest,
  { subject, sides: [before, after], repeats }: SidesOfSubject,
): Promise<PreparedBlame | UnaskedBlame> {
  const { project } = place;
  const { name: subjectName, version } = subject;
  const selection = { names: [version === undefined ? subjectName : `${subjectName}@${version}`], tags: [], repeats };
  const planned = await selectCases(index, project.ports.files, selection);
  const request = { name: subjectName, index, environment_name: environment };
  const now = subject.kind === 'agent' ? undefined : unlessRefused(await project.loadOrchestration(request));
  const { sha256 } = project.ports;
  const mixed = await mixSubject({ before, after, resolved: now?.resolved, index, planned, sha256 });
  const unasked = (why: string, more: Partial<Blame> = {}) => ({ subject, blame: { ...nothingAsked(environment), ...more, why } });
  if (typeof mixed === 'string') return unasked(mixed);
  const { fields: changed, cases } = mixed;
  const counts = { cases: cases.length, refused_cases: planned.length - cases.length };
  if (cases.length === 0) return unasked('One side refuses the inputs of all cases.', counts);

  const sent = [...changed.keys()].filter((field) => mixed.isSent(field));
  const fieldsOf = (numbers: readonly number[]) => numbers.map((number) => changed[number] as ChangedField);
  const not_sent = fieldsOf([...changed.keys()].filter((field) => !sent.includes(field))).filter(
    ({ names }) => names.join() !== 'environment',
  );
  if (sent.length === 0) return unasked('No request of its cases changes.', { ...counts, not_sent });
  const sentOf = (numbers: readonly number[]) => numbers.map((number) => sent[number] as number);
  const fitted = fitFields(sent.length, (numbers) => mixed.faultOf(sentOf(numbers)));
  const groups = fitted.map(({ fields, why }): FittedFields => ({ fields: sentOf(fields), why }));
  const joined = groups.flatMap(({ fields, why }) => (why === undefined ? [] : [{ fields: fieldsOf(fields), why }]));

  const afresh: NewEval = {
    ...selection,
    only: ({ file, name: of }) => cases.some((each) => each.file === file && each.name === of),
    llms: [],
  };
  const wanted = { ...afresh, ...(against !== undefined && { against: { source: against } }) };
  return {
    subject,
    cases: cases.length,
    fields: groups.length,
    worst_case: await worstOf(place, mixed, { afresh, wanted, fields: groups.length }),
    async run(work, max_cost) {
      const fields = groups.map((group) => asOne(fieldsOf(group.fields)));
      const evals = createAsk({ place, mixed, groups, fields, afresh, wanted, work, max_cost });
      const { whole, findings } = await findBlame({ fields: groups.length, ask: evals.ask });
      const sorted = outcomes.flatMap((outcome) => findings.filter((finding) => finding.outcome === outcome));
      return {
        ...nothingAsked(environment),
        ...counts,
        ...evals.totals(),
        all: toFinding(whole, fields),
        findings: sorted.map((finding) => toFinding(finding, fields)),
        joined,
        not_sent,
        max_cost_usd: max_cost ?? null,
      };
    },
  };
}

/** In the order in which they are read. */
const outcomes = ['moved', 'cannot_tell', 'not_moved'] as const;

/** Both ends, and then as many mixes as the search may need, each taken for as dear as the dearer end. */
async function worstOf(
  place: EvalProject,
  mixed: MixedSubject,
  { afresh, wanted, fields }: { readonly afresh: NewEval; readonly wanted: NewEval; readonly fields: number },
): Promise<WorstCase> {
  const all = [...mixed.fields.keys()];
  const states = new Map<string, LoadSubject>([
    [oldState, async () => mixed.load([])],
    [newState, async () => mixed.load(all)],
  ]);
  const estimate = async (options: NewEval, ...llms: string[]) =>
    (await estimateEval({ ...place, states }, { ...options, llms })).worst_case;
  const [old, current] = [await estimate(afresh, oldState), await estimate(afresh, newState)];
  const isOldDearer = old.limit === null || (current.limit !== null && old.limit > current.limit);
  return sumWorstCases([
    { worst: await estimate(wanted, oldState, newState), times: 1 },
    { worst: isOldDearer ? old : current, times: mostMixes(fields) },
  ]);
}

interface AskRequest {
  readonly place: EvalProject;
  readonly mixed: MixedSubject;
  readonly groups: readonly FittedFields[];
  readonly fields: readonly ChangedField[];
  readonly afresh: NewEval;
  readonly wanted: NewEval;
  readonly work: EvalWork;
  readonly max_cost: number | undefined;
}

/** Runs the mixes of a search as evals, one for those that are requested together. */
function createAsk({ place, mixed, groups, fields, afresh, wanted, work, max_cost }: AskRequest) {
  const totals = { mixes: 0, runs: 0, unjudged_runs: 0, cost_usd: 0, cost_incomplete: false, why: null as string | null };
  /** Why a run could not be judged, the first of them. */
  let unjudged: string | undefined;
  const reasonToStop = (): string | null => {
    if (totals.why !== null) return totals.why;
    if (work.signal.aborted) return 'It was cancelled.';
    return max_cost !== undefined && totals.cost_usd > 0 && totals.cost_usd >= max_cost ? 'The budget is used up.' : null;
  };
  const ask = async (mixes: readonly Mix[], mayCarry: boolean): Promise<readonly AskedMix[] | undefined> => {
    totals.why = reasonToStop();
    if (totals.why !== null) return undefined;
    const parts = mixes.map((mix) => {
      const sent = mix.flatMap((group) => groups[group]?.fields ?? []).sort((left, right) => left - right);
      const taken = mix.length === fields.length ? [...mixed.fields.keys()] : sent;
      return { taken, fault: mixed.faultOf(taken), name: mixName(mix, fields) };
    });
    const askable = parts.filter(({ fault }) => fault === undefined);
    if (askable.length === 0) return parts.map(({ fault = '' }) => ({ fault }));
    const states = new Map<string, LoadSubject>(askable.map(({ taken, name }) => [name, async () => mixed.load(taken)]));
    const remainingBudget = max_cost === undefined ? {} : { max_cost: Math.max(0, max_cost - totals.cost_usd) };
    const options = { ...(mayCarry ? wanted : afresh), ...remainingBudget, llms: askable.map(({ name }) => name) };
    const report = await startEval({ ...place, states }, options, work);
    totals.mixes += askable.length;
    totals.runs += report.runs.total;
    totals.unjudged_runs += report.runs.unknown;
    totals.cost_usd += report.cost_usd;
    totals.cost_incomplete ||= report.cost_incomplete;
    unjudged ??= report.suites
      .flatMap(({ cases }) => cases.flatMap(({ reasons }) => reasons))
      .find(({ outcome }) => outcome === 'unknown')?.reason;
    if (report.simulated) totals.why = 'Its answers are simulated.';
    if (report.simulated) return undefined;
    return parts.map(({ name, fault }): AskedMix => {
      if (fault !== undefined) return { fault };
      const reports = report.suites.filter(({ llm }) => llm === name).flatMap((suite) => suite.cases);
      return {
        cases: new Map(reports.map((each) => [`${each.file} ${each.name}`, { passes: each.passes, repeats: each.judged }])),
        isCarried: reports.some(({ state }) => state === 'carried'),
      };
    });
  };
  return { ask, totals: () => ({ ...totals, why: totals.why ?? unjudged ?? null }) };
}

/** In place of the id of a profile. No profile can have such a name. */
const [oldState, newState] = ['none of the changes', 'all of the changes'];

function mixName(mix: Mix, fields: readonly ChangedField[]): string {
  if (mix.length === fields.length) return newState;
  if (mix.length === 0) return oldState;
  return mix.map((field) => `${fields[field]?.names.join(' ')} (${field + 1})`).join(', ');
}

/** Fields that are taken together only. */
function asOne(fields: readonly ChangedField[]): ChangedField {
  const [first, ...others] = fields;
  if (first !== undefined && others.length === 0) return first;
  return {
    names: [...new Set(fields.flatMap(({ names }) => names))],
    instances: [...new Set(fields.flatMap(({ instances }) => instances))],
    places: fields.flatMap(({ places }) => places).slice(0, 10),
  };
}

function toFinding({ outcome, parts, isAlone, evidence, more_cases, fault }: FoundBlame, fields: readonly ChangedField[]): BlameFinding {
  return {
    outcome,
    parts: parts.map((part) => part.map((field) => fields[field] as ChangedField)),
    alone: isAlone,
    cases: evidence?.cases ?? 0,
    difference: evidence?.difference ?? null,
    interval: evidence?.interval ?? null,
    p_value: evidence?.adjusted ?? null,
    more_cases: more_cases ?? null,
    why: fault ?? null,
  };
}
