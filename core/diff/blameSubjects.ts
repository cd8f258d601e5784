import { AgentStackError } from '../agentStackError.js';
import { selectCases } from '../eval/runner/selectCases.js';
import { sumWorstCases, type WorstCase } from '../llm/worstCase.js';
import type { EvalProject, LoadSubject } from '../project/evalLoader.js';
import { type EvalWork, estimateEval, type NewEval, startEval } from '../project/evals.js';
import { type AskedMix, type BlameFinding as FoundBlame, findBlame, type Mix, mostMixes } from './blame.js';
import { type MixedSubject, type MixRequest, mixSubject } from './mixedSubject.js';
import { type FittedFields, fitFields } from './mixFaults.js';
import type { Blame, BlameFinding, ChangedField, SubjectDiff } from './types.js';
import { isTested } from './verdicts.js';

/** Two states of a project, and what changes between them. */
export interface ComparedStates extends Pick<MixRequest, 'before' | 'after'> {
  readonly subjects: readonly SubjectDiff[];
  /** Id of the commit of the state before, whose baselines are carried over. */
  readonly commit: string;
}

/** A subject that is ready to be asked what moved its verdicts. */
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

/** A subject that needs no question, or cannot be asked. */
export interface UnaskedBlame {
  readonly subject: SubjectDiff;
  readonly blame: Blame;
}

/** Prepares the search for each changed subject that has cases; asks nothing. @param repeats in place of those of the cases */
export async function prepareBlames(
  place: EvalProject,
  compared: ComparedStates,
  repeats: number | undefined,
): Promise<readonly (PreparedBlame | UnaskedBlame)[]> {
  const { index } = compared.after;
  const environment = place.environment ?? index.settings.environment;
  const prepared: (PreparedBlame | UnaskedBlame)[] = [];
  for (const subject of compared.subjects) {
    const isPaired = subject.state === 'changed' || subject.state === 'new_version';
    if (!isPaired || !(await isTested(place, index, subject, environment))) continue;
    try {
      prepared.push(await prepareBlame({ place, compared, environment, repeats }, subject));
    } catch (error) {
      if (!(error instanceof AgentStackError)) throw error;
      prepared.push({ subject, blame: { ...nothingAsked(environment), why: error.message } });
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

interface BlameRequest {
  readonly place: EvalProject;
  readonly compared: ComparedStates;
  readonly environment: string;
  readonly repeats: number | undefined;
}

async function prepareBlame(request: BlameRequest, subject: SubjectDiff): Promise<PreparedBlame | UnaskedBlame> {
  const { place, compared, environment, repeats } = request;
  const { project } = place;
  const name = subject.version === undefined ? subject.name : `${subject.name}@${subject.version}`;
  const selection = { names: [name], tags: [], repeats };
  const planned = await selectCases(compared.after.index, project.ports.files, selection);
  const mixed = await mixSubject({ ...compared, project, subject, environment, planned });
  const unasked = (why: string, more: Partial<Blame> = {}) => ({ subject, blame: { ...nothingAsked(environment), ...more, why } });
  if (typeof mixed === 'string') return unasked(mixed);
  const { fields: changed, cases } = mixed;
  const counts = { cases: cases.length, refused_cases: planned.length - cases.length };
  if (cases.length === 0) return unasked('One side refuses the inputs of all cases.', counts);

  const sent = [...changed.keys()].filter((field) => mixed.isSent(field));
  const fieldsOf = (numbers: readonly number[]) => numbers.map((number) => changed[number] as ChangedField);
  const not_sent = fieldsOf([...changed.keys()].filter((field) => !sent.includes(field)));
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
  const wanted = { ...afresh, against: { source: compared.commit } };
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
        ...evals.asked(),
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
  const states = new Map<string, LoadSubject>([[oldState, async () => mixed.load([])]]);
  const estimate = async (options: NewEval, ...llms: (string | null)[]) =>
    (await estimateEval({ ...place, states }, { ...options, llms })).worst_case;
  const [old, current] = [await estimate(afresh, oldState), await estimate(afresh, null)];
  const isOldDearer = old.limit === null || (current.limit !== null && old.limit > current.limit);
  return sumWorstCases([
    { worst: await estimate(wanted, null, oldState), times: 1 },
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

/** Asks the mixes of a search by evals, one for those that are asked together. */
function createAsk({ place, mixed, groups, fields, afresh, wanted, work, max_cost }: AskRequest) {
  const asked = { mixes: 0, runs: 0, unjudged_runs: 0, cost_usd: 0, cost_incomplete: false, why: null as string | null };
  /** Why a run could not be judged, the first of them. */
  let unjudged: string | undefined;
  const reasonToStop = (): string | null => {
    if (asked.why !== null) return asked.why;
    if (work.signal.aborted) return 'It was cancelled.';
    return max_cost !== undefined && asked.cost_usd > 0 && asked.cost_usd >= max_cost ? 'The budget is used up.' : null;
  };
  const ask = async (mixes: readonly Mix[], mayCarry: boolean): Promise<readonly AskedMix[] | undefined> => {
    asked.why = reasonToStop();
    if (asked.why !== null) return undefined;
    const all = mixes.map((mix) => {
      const taken = mix.flatMap((group) => groups[group]?.fields ?? []).sort((left, right) => left - right);
      return { taken, fault: mixed.faultOf(taken), name: mixName(mix, fields) };
    });
    const askable = all.filter(({ fault }) => fault === undefined);
    if (askable.length === 0) return all.map(({ fault = '' }) => ({ fault }));
    const states = new Map<string, LoadSubject>(
      askable.flatMap(({ taken, name }) => (name === null ? [] : [[name, async () => mixed.load(taken)]])),
    );
    const rest = max_cost === undefined ? {} : { max_cost: Math.max(0, max_cost - asked.cost_usd) };
    const options = { ...(mayCarry ? wanted : afresh), ...rest, llms: askable.map(({ name }) => name) };
    const report = await startEval({ ...place, states }, options, work);
    asked.mixes += askable.length;
    asked.runs += report.runs.total;
    asked.unjudged_runs += report.runs.unknown;
    asked.cost_usd += report.cost_usd;
    asked.cost_incomplete ||= report.cost_incomplete;
    unjudged ??= report.suites
      .flatMap(({ cases }) => cases.flatMap(({ reasons }) => reasons))
      .find(({ outcome }) => outcome === 'unknown')?.reason;
    if (report.simulated) asked.why = 'Its answers are simulated.';
    if (report.simulated) return undefined;
    return all.map(({ name, fault }): AskedMix => {
      if (fault !== undefined) return { fault };
      const reports = report.suites.filter(({ llm }) => llm === name).flatMap((suite) => suite.cases);
      return {
        cases: new Map(reports.map((each) => [`${each.file} ${each.name}`, { passes: each.passes, repeats: each.judged }])),
        isCarried: reports.some(({ state }) => state === 'carried'),
      };
    });
  };
  return { ask, asked: () => ({ ...asked, why: asked.why ?? unjudged ?? null }) };
}

/** In place of the id of a profile. No profile can have such a name. */
const oldState = 'none of the changes';

/** Null for the files as they are. */
function mixName(mix: Mix, fields: readonly ChangedField[]): string | null {
  if (mix.length === fields.length) return null;
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
