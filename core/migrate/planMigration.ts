import { checkProject } from '../check/checkProject.js';
import { defaultProvider } from '../config/defaults.js';
import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import { isFineTuned, modelNames } from '../config/modelNames.js';
import type { MigrationMove, MigrationPlace, MigrationPrice, MigrationUse } from '../generated/types.js';
import { groupBy } from '../groupBy.js';
import { findText } from '../jsonText/findText.js';
import { parseJson } from '../jsonText/parseJson.js';
import { createModelTable, isGoing, type ModelTable } from '../llm/modelTable.js';
import { compareNatural } from '../names.js';
import { overlayFiles } from '../overlayFiles.js';
import type { Environment, FileSystem } from '../ports.js';
import type { Layer } from '../snapshot/effective.js';
import { type AgentUse, environmentsOf, type ProjectUses, readUses } from './agentUses.js';
import { type ChosenModel, chooseModel } from './chooseModel.js';
import { compareUse, priceFields, sideBefore } from './compareUse.js';
import { editFiles, type FileChange, findParameterEdits, type ParameterEdit, type Writing } from './editPlaces.js';
import { type CaseFacts, caseFacts, decidePlace, isNamed, type ModelPlace, namedInLayers, type PlaceDecision, placeKey } from './places.js';

export interface MigrationRequest {
  readonly files: FileSystem;
  readonly index: LoadedIndex;
  readonly variables: Environment;
  /** The model to replace. Default: every model of the project that ends. */
  readonly from?: string | undefined;
  /** The model that replaces it. Default: the successor that its provider names. */
  readonly to?: string | undefined;
  /** Agents and orchestrations whose models are replaced: `Reviewer`, `Reviewer@v1`. Empty: all. */
  readonly subjects: readonly string[];
  /** Replaces models that agents have in this environment. Default: in any. */
  readonly environment?: string | undefined;
  /** Whether places are written of which facts are missing. */
  readonly allow_unknown: boolean;
}

export interface MigrationPlan {
  readonly moves: readonly MigrationMove[];
  /** What is written. */
  readonly changes: readonly FileChange[];
  readonly unread: readonly string[];
  /** The largest relative change of a price among the agents that are written; null where a price is not known. 0 where nothing is written. */
  readonly price_change: number | null;
  /** The models that agents name, of the subjects or not. */
  readonly used: readonly string[];
  /** Subjects that the project has not, or that call no model. */
  readonly missing: readonly string[];
  /** What is written beside the names. */
  readonly parameters: readonly ParameterEdit[];
  /** Names of agents and orchestrations with cases that have `expect`. */
  readonly tested: ReadonlySet<string>;
  /** The project with all new names in it: also those that are not written, since their cases can be asked. */
  readonly candidate: FileSystem;
}

interface Group {
  readonly from: string;
  readonly provider: string;
  readonly chosen: ChosenModel;
  readonly places: Map<string, { place: ModelPlace; decision: PlaceDecision }>;
}

/** What the steps of a plan share. */
interface Planning extends MigrationRequest {
  readonly models: ModelTable;
  readonly environments: readonly string[];
  readonly cases: CaseFacts;
}

/** What replacing models changes, for every place that names one and every agent that gets it from there. Nothing is written. */
export async function planMigration(request: MigrationRequest): Promise<MigrationPlan> {
  const { files, index, variables, allow_unknown } = request;
  const models = createModelTable(index.settings.models);
  const environments = environmentsOf(index);
  const project = await readUses(files, index, variables, environments);
  const planning: Planning = { ...request, models, environments, cases: caseFacts(project.payloads) };
  const groups = await findGroups(planning, project);
  const candidate = await draft(planning, groups, () => true);
  const judged = await Promise.all(groups.map((group) => judgeGroup(planning, group, candidate)));
  const mayWrite = ({ outcome }: Pick<MigrationUse, 'outcome'>) => outcome === 'fits' || (outcome === 'not_known' && allow_unknown);
  const written = new Set(
    judged.flatMap(({ move, chosen }) => {
      const isOpen = mayWrite({
        outcome: chosen.misfit !== undefined ? 'does_not_fit' : chosen.unknown !== undefined ? 'not_known' : 'fits',
      });
      return move.places.flatMap((place) =>
        isOpen && place.write !== 'left' && usesOf(move, place).every(mayWrite) ? [placeKey(place)] : [],
      );
    }),
  );
  const final = await draft(planning, groups, (place) => written.has(placeKey(place)));
  const moves = judged.map(({ move, chosen }) => ({
    ...move,
    places: move.places.map((place) => (written.has(placeKey(place)) ? place : leftOut(place, usesOf(move, place), chosen))),
  }));
  const priceOfModel = (model: string, provider: string) => priceFields(models.find(model, provider)?.price);
  const prices = moves.flatMap(({ from, to, provider, places, uses }) =>
    places
      .filter((place) => written.has(placeKey(place)))
      .flatMap((place) => {
        const users = uses.filter((use) => placeKey(use) === placeKey(place));
        // Whoever uses the place next pays that price.
        if (users.length === 0) return [{ before: priceOfModel(from, provider), after: priceOfModel(to ?? '', provider) }];
        return users.map(({ before, after }) => ({ before: before.price, after: after?.price ?? null }));
      }),
  );
  const { changes, parameters } = final;
  const used = [...new Set(project.uses.map(({ model }) => model))].sort(compareNatural);
  return {
    moves,
    used,
    missing: request.subjects.filter((name) => !project.uses.some((use) => isNamed(use, name, project.members))),
    changes,
    parameters,
    unread: project.unread,
    price_change: priceChange(prices),
    tested: planning.cases.tested,
    candidate: candidate.project,
  };
}

/** The agents that get the model from a place. */
function usesOf({ uses }: Pick<MigrationMove, 'uses'>, place: Pick<MigrationPlace, 'file' | 'pointer'>): readonly MigrationUse[] {
  return uses.filter((use) => placeKey(use) === placeKey(place));
}

async function findGroups(planning: Planning, { uses, members }: ProjectUses): Promise<readonly Group[]> {
  const { files, index, models, to, subjects, environment, cases } = planning;
  const groups = new Map<string, Group>();
  const groupOf = (from: string, provider: string): Group => {
    const key = `${provider} ${from}`;
    const group = groups.get(key) ?? { from, provider, chosen: chooseModel(from, provider, to, models), places: new Map() };
    groups.set(key, group);
    return group;
  };
  const leaving = uses.filter(({ model, provider }) => isReplaced(planning, model, provider));
  // A shared place moves all its agents in all environments, also where only one of them was named.
  const isWanted = (use: AgentUse) =>
    (environment === undefined || use.environment === environment) &&
    (subjects.length === 0 || subjects.some((name) => isNamed(use, name, members)));
  const named = new Set(leaving.filter(isWanted).map(({ origin }) => placeKey(origin)));
  for (const [key, users] of groupBy(leaving, ({ origin, model, provider }) => JSON.stringify([placeKey(origin), model, provider]))) {
    const [{ origin, model, provider }] = users as [AgentUse];
    const { file, pointer, layer } = origin;
    if (file === null || !named.has(placeKey(origin)) || !isPlaceLayer(layer)) continue;
    const { value } = parseJson((await findText(files, file)) ?? '');
    const place = { file, pointer, layer, value, uses: users };
    groupOf(model, provider).places.set(key, { place, decision: decidePlace(place, model, index, cases) });
  }
  const known = new Set([...groups.values()].flatMap(({ places }) => [...places.values()].map(({ place }) => placeKey(place))));
  for (const { name, provider, ...at } of subjects.length > 0 || environment !== undefined ? [] : namedInLayers(index)) {
    const from = typeof provider === 'string' ? provider : defaultProvider;
    if (known.has(placeKey(at)) || !isReplaced(planning, name, from)) continue;
    groupOf(name, from).places.set(placeKey(at), { place: { ...at, value: undefined, uses: [] }, decision: { write: 'in_place' } });
  }
  leaveShared([...groups.values()]);
  return [...groups.values()];
}

/** A place whose agents have different providers gets no name that only one of these has. */
function leaveShared(groups: readonly Group[]): void {
  const all = groups.flatMap(({ provider, chosen, places }) => [...places.values()].map((entry) => ({ provider, chosen, entry })));
  for (const [, sharing] of groupBy(all, ({ entry }) => placeKey(entry.place))) {
    if (new Set(sharing.map(({ chosen }) => chosen.to)).size < 2) continue;
    const providers = [...new Set(sharing.map(({ provider }) => provider))].join(' and ');
    for (const { entry } of sharing) entry.decision = { write: 'left', why: `it counts for ${providers}, whose models differ.` };
  }
}

function isPlaceLayer(layer: Layer): layer is ModelPlace['layer'] {
  return layer === 'agent' || layer === 'llm' || layer === 'persona' || layer === 'system' || layer === 'environment' || layer === 'task';
}

function isReplaced({ from, models }: Planning, model: string, provider: string): boolean {
  if (from === undefined) return isGoing(models.find(model, provider));
  // A fine-tuned model is another one than its base.
  return model === from || (!isFineTuned(model) && modelNames(model).includes(from));
}

/** A project with new names of models in it. */
interface Draft {
  readonly project: FileSystem;
  readonly index: LoadedIndex;
  readonly uses: readonly AgentUse[];
  readonly changes: readonly FileChange[];
  readonly parameters: readonly ParameterEdit[];
}

async function draft(planning: Planning, groups: readonly Group[], isWanted: (place: ModelPlace) => boolean): Promise<Draft> {
  const { files, index, variables, models, environments } = planning;
  const writings = groups.flatMap(({ chosen: { to }, places }) =>
    [...places.values()].flatMap(({ place: { file, pointer, ...place }, decision }): readonly Writing[] =>
      to !== null && decision.write !== 'left' && isWanted({ file, pointer, ...place }) ? [{ file, pointer, to, decision }] : [],
    ),
  );
  const read = async (parameters: readonly ParameterEdit[]): Promise<Draft> => {
    const changes = await editFiles(files, writings, parameters);
    const project = overlayFiles(files, new Map(changes.map(({ file, after }) => [file, after])));
    const newIndex = await loadProjectIndex(project, { registered: async () => index.registered });
    const { uses } = await readUses(project, newIndex, variables, environments);
    return { project, index: newIndex, uses, changes, parameters };
  };
  const named = await read([]);
  const targets = new Set(
    writings.map(({ file, pointer, decision }) => placeKey({ file: decision.write === 'new_version' ? decision.file : file, pointer })),
  );
  const isMoved = ({ origin }: AgentUse) => targets.has(placeKey(origin));
  const parameters = await findParameterEdits(named.uses, isMoved, models, (path) => findText(named.project, path));
  return parameters.length === 0 ? named : read(parameters);
}

async function judgeGroup(planning: Planning, group: Group, candidate: Draft) {
  const { models, cases, index } = planning;
  const assumed = index.settings.assumed_input_tokens;
  const { from, provider, chosen } = group;
  const uses: { readonly use: Omit<MigrationUse, 'environments'>; readonly environment: string }[] = [];
  const entries = [...group.places.values()];
  const errors = await newErrors(planning, candidate, entries);
  for (const { place, decision } of entries) {
    for (const before of place.uses) {
      const { subject, environment, agent } = before;
      const inputs = (agent && cases.inputs.get(agent.name)) ?? [];
      const target = decision.write === 'new_version' && agent !== undefined ? `${agent.name}@${decision.version}` : subject;
      const after = candidate.uses.find((use) => use.subject === target && use.environment === environment);
      const shared = { subject, file: place.file, pointer: place.pointer };
      if (chosen.to === null || decision.write === 'left' || after === undefined) {
        const why =
          decision.write === 'left'
            ? `${place.file} is left: ${decision.why}`
            : (chosen.misfit ?? chosen.unknown ?? 'It cannot be resolved.');
        const outcome = decision.write === 'left' || chosen.misfit !== undefined ? 'does_not_fit' : 'not_known';
        uses.push({
          environment,
          use: { ...shared, outcome, reasons: [why], notes: [], before: sideBefore(before, inputs, models, assumed), after: null },
        });
        continue;
      }
      const pair = { before, after, inputs, misfit: chosen.misfit, unknown: chosen.unknown, errors: errors(after, before) };
      uses.push({ environment, use: { ...shared, ...(await compareUse(pair, models, assumed)) } });
    }
  }
  const move: MigrationMove = {
    from,
    to: chosen.to,
    provider,
    ends: chosen.ends,
    chosen_by: chosen.chosen_by,
    nearest: [...chosen.nearest],
    places: entries.map(({ place, decision }) => placeReport(place, decision)),
    uses: [...groupBy(uses, ({ use }) => JSON.stringify(use)).values()].map((same) => ({
      ...(same[0] as (typeof uses)[number]).use,
      environments: same.map(({ environment }) => environment),
    })),
  };
  return { move, chosen };
}

/** Errors of `check` in an agent or orchestration that it did not have before. */
async function newErrors(
  { files, index, variables }: Planning,
  candidate: Draft,
  entries: readonly { readonly place: ModelPlace; readonly decision: PlaceDecision }[],
): Promise<(after: AgentUse, before: AgentUse) => readonly string[]> {
  const environments = new Set(entries.flatMap(({ place }) => place.uses.map(({ environment }) => environment)));
  const old = [...new Set(entries.flatMap(({ place }) => place.uses.map(({ file }) => file)))];
  const now = [...old, ...entries.flatMap(({ decision }) => (decision.write === 'new_version' ? [decision.file] : []))];
  const messages = new Map<string, readonly string[]>();
  for (const environment of environments) {
    for (const [side, project, names, paths] of [
      ['before', files, index, old],
      ['after', candidate.project, candidate.index, now],
    ] as const) {
      const { settings } = names;
      const { findings } = await checkProject({ files: project, index: names, variables, paths, environment });
      names.settings = settings;
      const errors = findings.filter(({ severity }) => severity === 'error');
      for (const [file, own] of groupBy(errors, (finding) => finding.file))
        messages.set(
          `${side} ${environment} ${file}`,
          own.map(({ message }) => message),
        );
    }
  }
  return (after, before) => {
    const known = messages.get(`before ${before.environment} ${before.file}`) ?? [];
    // An error that a new version has from the old one names the new one.
    const asBefore = (message: string) => message.replaceAll(after.file, before.file).replaceAll(after.subject, before.subject);
    return (messages.get(`after ${after.environment} ${after.file}`) ?? []).filter((message) => !known.includes(asBefore(message)));
  };
}

function placeReport({ file, pointer, layer }: ModelPlace, decision: PlaceDecision): MigrationPlace {
  const isNew = decision.write === 'new_version';
  return {
    file,
    pointer,
    layer,
    write: decision.write,
    new_file: isNew ? decision.file : null,
    why: decision.write === 'in_place' ? null : decision.why,
    notes: isNew ? [...decision.notes] : [],
  };
}

/** A place that stays, with the first reason. */
function leftOut(place: MigrationPlace, uses: readonly MigrationUse[], { misfit, unknown }: ChosenModel): MigrationPlace {
  if (place.write === 'left') return place;
  const use = uses.find(({ outcome }) => outcome !== 'fits');
  const why = misfit ?? unknown ?? (use && `${use.subject}: ${use.reasons[0]}`) ?? null;
  return { ...place, write: 'left', new_file: null, why, notes: [] };
}

/** Null where a price is not known, and where something that was free is not. */
function priceChange(prices: readonly { readonly before: MigrationPrice | null; readonly after: MigrationPrice | null }[]): number | null {
  const changes = prices.flatMap(({ before, after }) => changesOf(before, after));
  if (changes.length === 0) return 0;
  return changes.every((change) => change !== null) ? Math.max(...changes) : null;
}

function changesOf(before: MigrationPrice | null, after: MigrationPrice | null): readonly (number | null)[] {
  if (before === null || after === null) return [null];
  const cached = (price: MigrationPrice) => price.cached_input ?? price.input;
  const pairs = [
    [before.input, after.input],
    [before.output, after.output],
    [cached(before), cached(after)],
  ] as const;
  return pairs.map(([old, now]) => (old === now ? 0 : old === 0 ? null : now / old - 1));
}
