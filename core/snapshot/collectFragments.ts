import { agentDefaults, defaultAgentType, type KnownAgentType } from '../config/defaults.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { agentFields } from '../generated/fields.js';
import { isObject, type JsonObject, pointerOf } from '../json.js';
import { maxDepth } from '../jsonText/jsonShape.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import type { Environment } from '../ports.js';
import { checkFragment } from './checkFragment.js';
import type { Layer, LayerProblem, Origin } from './effective.js';
import { agentTable, type FragmentKind, fits } from './fields.js';
import { type Fragment, originIn, taskFragments } from './layering.js';
import { nestedInDefaults, nestedPersona } from './nestedPersona.js';
import { expandPlaceholders } from './placeholders.js';
import { type LayerFile, readLayer } from './projectReader.js';
import { findSecret } from './settle.js';
import type { CallOverrides, ResolveRequest } from './types.js';

/** The fragments that make up an agent. */
export interface Stack {
  /** Lowest first; the first holds the built-in defaults. */
  readonly fragments: readonly [Fragment, ...Fragment[]];
  /** The llm profile under the agent; undefined if there is no profile. */
  readonly llm: ChosenLlm | undefined;
  /** The persona under the agent. */
  readonly persona: Reference | undefined;
  /** Whether a reference could not be followed: missing fields are then due to the reference. */
  readonly broken: { readonly llm: boolean; readonly persona: boolean };
  /** Files read, lowest layer first. */
  readonly files: readonly string[];
}

interface ChosenLlm {
  readonly id: string;
  /** The place that names it; if there is only one profile, its own `llm_id` at layer `default`. */
  readonly origin: Origin;
  readonly file: LayerFile;
}

/**
 * Collects every fragment that an agent is layered from, in order: built-in defaults; system.json and environments/{env}.json, each with its
 * `tracing`, `agent_defaults`, `llms.{id}`, `persona_defaults` and `agents.{name}`; the llm profile; the persona; the agent file; the task; the
 * call.
 */
export function collectFragments(request: ResolveRequest, environmentName: string, report: (problem: LayerProblem) => void): Stack {
  const { agent_name, project, overrides, variables } = request;
  const system = readLayer(project, 'system', 'system', report);
  const environment = readLayer(project, 'system', environmentId(environmentName), report);
  const agent = request.file ? [fragmentOf('agent', 'agent', request.file, '', request.file.value)] : [];
  const agentAndTask = request.task ? [...agent, ...taskFragments(request.task)] : agent;
  const call = callFragment(overrides, report);
  const above = call === undefined ? agentAndTask : [...agentAndTask, call];
  const sections = [
    ...sectionsOf('system', system, agent_name, environment?.value),
    ...sectionsOf('environment', environment, agent_name, undefined),
  ];

  const personaKey = pick([...below(sections, {}), ...above], 'persona_key', variables);
  const namedPersona = isReference(personaKey) ? personaKey : undefined;
  const personaFile = namedPersona && readPersona(namedPersona, project, report);
  const persona = personaFile ? [fragmentOf('persona', 'agent', personaFile, '', personaFile.value)] : [];
  const hasPersona = personaKey !== undefined;

  const llmId = chooseLlm([...below(sections, { hasPersona }), ...persona, ...above], request);
  const llm = isReference(llmId) ? readLlm(llmId, project, report) : undefined;
  const profile = llm ? [fragmentOf('llm', 'llm', llm.file, '', llm.file.value)] : [];
  const profileOfCall = llm && overrides?.llm !== undefined ? [fragmentOf('call', 'llm', llm.file, '', llm.file.value)] : [];

  const lower = below(sections, { hasPersona, llm_id: llm?.id });
  for (const { file, pointer, value } of lower) {
    const nested = file !== null && pointer === personaDefaults ? nestedInDefaults({ path: file, value }) : undefined;
    if (nested) report(nested);
  }
  const fragments = [...lower, ...profile, ...persona, ...agentAndTask, ...profileOfCall, ...(call ? [call] : [])];
  return {
    fragments: [defaultsFor(fragments), ...fragments],
    llm,
    persona: namedPersona,
    broken: { llm: llmId !== undefined && !llm, persona: personaKey !== undefined && !personaFile },
    files: [system, environment, llm?.file, personaFile, request.file, request.task].flatMap((file) => (file ? [file.path] : [])),
  };
}

const personaDefaults = pointerOf('persona_defaults');

/** What a system or environment file sets for all agents, for one agent, for personas, and for one llm profile once that is chosen. */
interface Section {
  readonly about: 'agent' | 'persona' | 'llm';
  /** The fragment of an `llm` section is created when the profile is known. */
  readonly fragment: (llmId?: string) => Fragment | undefined;
}

/**
 * The sections of one file, in the order of the layers they belong to. A section that the environment file sets to null removes that
 * section of system.json.
 */
function sectionsOf(layer: Layer, file: LayerFile | undefined, agentName: string, remover: JsonObject | undefined): readonly Section[] {
  if (file === undefined) return [];
  const sections: Section[] = [];
  const fragmentAt = (kind: FragmentKind, section: string, name?: string): Fragment | undefined => {
    const value = sectionAt(file.value, section, name);
    if (!isObject(value) || (remover !== undefined && sectionAt(remover, section, name) === null)) return undefined;
    return fragmentOf(layer, kind, file, name === undefined ? pointerOf(section) : pointerOf(section, name), value);
  };
  const add = (about: Section['about'], fragment: Fragment | undefined) => {
    if (fragment !== undefined) sections.push({ about, fragment: () => fragment });
  };
  const { tracing } = file.value;
  if (tracing !== undefined) add('agent', fragmentOf(layer, 'agent', file, '', { tracing }));
  add('agent', fragmentAt('agent', 'agent_defaults'));
  if (file.value.llms !== undefined) {
    sections.push({ about: 'llm', fragment: (llmId) => (llmId === undefined ? undefined : fragmentAt('llm', 'llms', llmId)) });
  }
  add('persona', fragmentAt('agent', 'persona_defaults'));
  add('agent', fragmentAt('agent', 'agents', agentName));
  return sections;
}

/** The sections that apply to an agent, lowest first: those about personas only if it has a persona. */
function below(
  sections: readonly Section[],
  { hasPersona = false, llm_id }: { hasPersona?: boolean; llm_id?: string | undefined },
): Fragment[] {
  const fragments: Fragment[] = [];
  for (const { about, fragment } of sections) {
    const profile = about === 'persona' && !hasPersona ? undefined : fragment(llm_id);
    if (profile !== undefined) fragments.push(profile);
  }
  return fragments;
}

/** A section, or the named part of one; null also when the section is null. */
function sectionAt(value: JsonObject, section: string, name: string | undefined): JsonObject | null | undefined {
  const whole = memberOf(value, section);
  return name === undefined || !isObject(whole) ? whole : memberOf(whole, name);
}

function memberOf(value: JsonObject, name: string): JsonObject | null | undefined {
  const member = Object.hasOwn(value, name) ? value[name] : undefined;
  return member === null || isObject(member) ? member : undefined;
}

/** The name in a field, and where it is written. */
interface Reference {
  readonly id: string;
  readonly origin: Origin;
}

/** `broken`: a placeholder in it cannot be expanded, which is reported together with the field's own value. */
type Picked = Reference | 'broken' | undefined;

function isReference(picked: Picked): picked is Reference {
  return typeof picked === 'object';
}

/** The highest fragment that gives the field decides; null there means that nothing is named. */
function pick(fragments: readonly Fragment[], field: string, variables: Environment): Picked {
  for (let index = fragments.length - 1; index >= 0; index -= 1) {
    const fragment = fragments[index] as Fragment;
    if (!agentTable[fragment.kind].has(field) || !Object.hasOwn(fragment.value, field)) continue;
    const value = fragment.value[field];
    if (value === null) return undefined;
    if (typeof value !== 'string') continue;
    if (!value.includes('${')) return { id: value, origin: originIn(fragment, [field]) };
    const expansion = expandPlaceholders(value, variables);
    if (expansion.unset.length > 0 || findSecret(expansion, field)) return 'broken';
    return { id: expansion.text, origin: originIn(fragment, [field]) };
  }
  return undefined;
}

function chooseLlm(fragments: readonly Fragment[], { overrides, project, variables }: ResolveRequest): Picked {
  if (overrides?.llm !== undefined) return { id: overrides.llm, origin: { file: null, pointer: '/llm', layer: 'call' } };
  const named = pick(fragments, 'llm_config_id', variables);
  if (named !== undefined || pick(fragments, 'model_name', variables) !== undefined) return named;
  const [only, another] = project.ids('llm');
  // With several profiles, none has been chosen.
  return only && another === undefined ? { id: only[0], origin: { file: only[1], pointer: '/llm_id', layer: 'default' } } : undefined;
}

function readLlm({ id, origin }: Reference, project: ProjectIndex, report: (problem: LayerProblem) => void): ChosenLlm | undefined {
  const file = readLayer(project, 'llm', id, report);
  if (file !== undefined) return { id, origin, file };
  if (!project.ids('llm').has(id)) report(unknownReference('unknown-llm', 'llm profile', id, origin, project.ids('llm').keys()));
  return undefined;
}

function readPersona({ id, origin }: Reference, project: ProjectIndex, report: (problem: LayerProblem) => void): LayerFile | undefined {
  const file = readLayer(project, 'persona', id, report);
  if (file === undefined) {
    if (!project.ids('persona').has(id)) report(unknownReference('unknown-persona', 'persona', id, origin, project.ids('persona').keys()));
    return undefined;
  }
  const nested = nestedPersona(id, file, project);
  if (nested) report(nested);
  return file;
}

/** A problem about a dangling reference, with the names that were probably meant. */
export function unknownReference(
  code: 'unknown-llm' | 'unknown-persona' | 'unknown-prompt',
  what: string,
  id: string,
  { file, pointer, layer }: Origin,
  known: Iterable<string>,
): LayerProblem {
  const ids = [...known];
  const nearest = nearestNames(id, ids);
  const listed = ids.length === 0 ? ' The project has none.' : ` There ${ids.length === 1 ? 'is' : 'are'} ${firstNames(ids)}.`;
  const fault = layer === 'call' ? `The call names the ${what} "${id}", which does not exist.` : `There is no ${what} "${id}".`;
  const message = `${fault}${nearest.length > 0 ? didYouMean(nearest) : listed}`;
  return { code, message, file, pointer, data: { id, nearest } };
}

/** The built-in defaults of the agent type that the fragments decide on. */
function defaultsFor(fragments: readonly Fragment[]): Fragment {
  let type: KnownAgentType = defaultAgentType;
  for (const { kind, value } of fragments) {
    if (kind !== 'agent' || !Object.hasOwn(value, 'agent_type')) continue;
    const agentType = value.agent_type;
    if (agentType === null) type = defaultAgentType;
    else if (agentType !== undefined && fits(agentFields.agent_type, agentType)) type = agentType as KnownAgentType;
  }
  return { layer: 'default', file: null, pointer: '', kind: 'default', value: agentDefaults(type) };
}

function fragmentOf(layer: Layer, kind: FragmentKind, file: { readonly path: string }, pointer: string, value: JsonObject): Fragment {
  return { layer, file: file.path, pointer, kind, value };
}

/** The id of an environment in the index. An environment named `system` has its folder in its id, since `system` is the id of system.json. */
export function environmentId(name: string): string {
  return name === 'system' ? 'environments/system' : name;
}

/** The fields a call sets, as the highest fragment; undefined if it sets no usable field. */
function callFragment(overrides: CallOverrides | undefined, report: (problem: LayerProblem) => void): Fragment | undefined {
  const config: unknown = overrides?.config;
  if (config === undefined) return undefined;
  const refuse = (message: string, pointer: string) => report({ code: 'schema', message, file: null, pointer });
  if (!isObject(config)) {
    refuse('The overrides of a call must be an object of agent fields.', '/config');
    return undefined;
  }
  if (isTooDeep(config, 0)) {
    refuse(`The overrides of a call are nested deeper than ${maxDepth} levels.`, '/config');
    return undefined;
  }
  for (const name of Object.keys(config)) {
    if (agentTable.agent.has(name)) continue;
    const nearest = nearestNames(name, agentTable.agent.keys());
    const why =
      name === 'agent_name' || name === 'version'
        ? 'is the identity of the agent and cannot be overridden.'
        : 'is not a field of an agent.';
    refuse(`Override ${JSON.stringify(name)} ${why}${didYouMean(nearest)}`, pointerOf('config', name));
  }
  for (const problem of checkFragment('persona', config, 'The overrides of the call', null, '/config')) report(problem);
  const { llm_config_id } = config;
  if (overrides?.llm !== undefined && typeof llm_config_id === 'string' && llm_config_id !== overrides.llm) {
    refuse(`The call names two llm profiles, "${overrides.llm}" and "${llm_config_id}". Name one.`, '/config/llm_config_id');
  }
  return { layer: 'call', file: null, pointer: '/config', kind: 'agent', value: config };
}

/** Unlike a file, overrides come from a program and may be cyclic. */
function isTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= maxDepth || Object.values(value).some((member) => isTooDeep(member, depth + 1));
}
