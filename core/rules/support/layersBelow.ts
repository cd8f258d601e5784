import type { ProjectIndex } from '../../config/projectIndex.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { collectFragments, type Stack } from '../../snapshot/collectFragments.js';
import type { Fragment } from '../../snapshot/layering.js';
import type { RuleContext } from '../rule.js';

/** What lies under agents of one persona and one profile. The same object for all of them, as long as nothing in it changes. */
export interface LowerLayers {
  /** Lowest first; the first holds the built-in defaults. */
  readonly fragments: readonly [Fragment, ...Fragment[]];
  readonly hasLlm: boolean;
  /** Whether the persona and the profile that are named were there. */
  readonly isWhole: boolean;
}

interface Agent {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly value: JsonObject;
}

/**
 * The layers under an agent, or undefined where a `${VAR}` in one of them decides on the others. Many agents name the same persona and
 * profile and differ in what lies above, so the layers are put together once for all of them, and again when a file below has changed.
 */
export function layersBelow(context: RuleContext, agent: Agent): LowerLayers | undefined {
  const { project } = context;
  const profile = nameIn(agent.value.llm_config_id);
  const persona = nameIn(agent.value.persona_key);
  const model = modelOf(agent.value);
  const before = shared.get(context)?.get(profile)?.get(persona)?.get(model);
  if (before !== undefined && isCurrent(before, project))
    return hasOwnSection(before, agent) ? collect(context, agent).layers : before.layers;
  const collected = collect(context, agent);
  // What is missing may be there next time, and is seldom. What is said of one agent is of no use to others.
  if (collected.isWhole && !hasOwnSection(collected, agent)) {
    const ofContext = entryOf(shared, context, (): ByProfile => new Map());
    const ofProfile = entryOf(ofContext, profile, (): ByPersona => new Map());
    entryOf(ofProfile, persona, (): ByModel => new Map()).set(model, collected);
  }
  return collected.layers;
}

/** What a field that names a file decides by: a text or null. Anything else is passed over, as if it were not there. */
type Name = string | null | undefined;

function nameIn(value: Json | undefined): Name {
  return typeof value === 'string' || value === null ? value : undefined;
}

/** What else an agent says that decides on its lower layers: its type, and of its model only whether it names one. */
function modelOf({ agent_type: type, model_name }: JsonObject): string {
  const model = model_name === null ? 'null' : typeof model_name;
  return typeof type === 'string' || type === null ? `${JSON.stringify(type)} ${model}` : model;
}

/** Layers, and what they were made from. */
interface Collected {
  readonly layers: LowerLayers | undefined;
  readonly from: readonly Source[];
  /** What system.json and the environment say of agents one by one. */
  readonly sections: readonly JsonObject[];
  /** The profile an agent gets that names none. */
  readonly firstLlm: string | undefined;
  readonly isWhole: boolean;
  /** The project's, when all this was last found to be as it is. */
  revision: number;
}

interface Source {
  readonly kind: 'system' | 'persona' | 'llm';
  readonly id: string;
  readonly value: JsonObject | undefined;
}

type ByModel = Map<string, Collected>;
type ByPersona = Map<Name, ByModel>;
type ByProfile = Map<Name, ByPersona>;

/** It lives as long as the context. */
const shared = new WeakMap<RuleContext, ByProfile>();

function entryOf<K, V>(entries: { get(key: K): V | undefined; set(key: K, entry: V): unknown }, key: K, empty: () => V): V {
  let entry = entries.get(key);
  if (entry === undefined) {
    entry = empty();
    entries.set(key, entry);
  }
  return entry;
}

function collect({ project }: RuleContext, { path, name, version, value }: Agent): Collected {
  const request = { agent_name: name, version, file: { path, value }, project, variables: { get: () => undefined } };
  const stack = collectFragments(request, project.settings.environment, ignoreProblem);
  const ids: readonly (readonly [Source['kind'], string | undefined])[] = [
    ['system', 'system'],
    ['system', environmentId(project)],
    ['persona', stack.persona?.id],
    ['llm', stack.llm?.id],
  ];
  const from = ids.flatMap(([kind, id]) => (id === undefined ? [] : [{ kind, id, value: project.value(kind, id) }]));
  const isWhole = !stack.broken.llm && !stack.broken.persona;
  const layers = { fragments: withoutAgent(stack), hasLlm: stack.llm !== undefined, isWhole };
  return {
    layers: stack.fragments.some(choosesByVariable) ? undefined : layers,
    from,
    sections: from.flatMap(({ kind, value: whole }) => (kind === 'system' && isObject(whole?.agents) ? [whole.agents] : [])),
    firstLlm: firstLlm(project),
    isWhole,
    revision: project.revision,
  };
}

function isCurrent(collected: Collected, project: ProjectIndex): boolean {
  if (collected.revision === project.revision) return true;
  const { from, firstLlm: first } = collected;
  for (let index = 0; index < from.length; index++) {
    const { kind, id, value } = from[index] as Source;
    if (project.value(kind, id) !== value) return false;
  }
  if (firstLlm(project) !== first) return false;
  collected.revision = project.revision;
  return true;
}

function hasOwnSection({ sections }: Collected, { name }: Agent): boolean {
  for (const section of sections) if (Object.hasOwn(section, name)) return true;
  return false;
}

function firstLlm(project: ProjectIndex): string | undefined {
  return project.ids('llm').keys().next().value;
}

/** An environment called `system` keeps out of the way of system.json, whose id that is. */
function environmentId({ settings: { environment } }: ProjectIndex): string {
  return environment === 'system' ? 'environments/system' : environment;
}

/** Without a call, the agent file is the highest layer. */
function withoutAgent({ fragments: [lowest, ...above] }: Stack): readonly [Fragment, ...Fragment[]] {
  return [lowest, ...above.slice(0, -1)];
}

function choosesByVariable({ value }: Fragment): boolean {
  return hasPlaceholder(value.persona_key) || hasPlaceholder(value.llm_config_id);
}

function hasPlaceholder(value: Json | undefined): boolean {
  return typeof value === 'string' && value.includes('${');
}

/** Problems of the layers are found by the rules about each, in the file they are in. */
const ignoreProblem = () => undefined;
