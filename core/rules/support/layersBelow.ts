import type { ConfigFile } from '../../config/configFile.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { collectFragments, type Stack } from '../../snapshot/collectFragments.js';
import type { Fragment } from '../../snapshot/layering.js';
import type { RuleContext } from '../rule.js';

/** What lies under agents of one persona and one profile. */
export interface LowerLayers {
  /** Lowest first; the first holds the built-in defaults. */
  readonly fragments: readonly [Fragment, ...Fragment[]];
  readonly hasLlm: boolean;
}

interface Agent {
  readonly file: ConfigFile;
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
  if (hasOwnSection(project, agent.name)) return collect(context, agent).layers;
  const known = shared.get(context) ?? new Map<string, Collected>();
  shared.set(context, known);
  const key = keyOf(agent.value);
  const before = known.get(key);
  if (before !== undefined && isCurrent(before, project)) return before.layers;
  const collected = collect(context, agent);
  // What is missing may be there next time, and is seldom.
  if (collected.isWhole) known.set(key, collected);
  return collected.layers;
}

/** What an agent says that decides on its lower layers: of its model only whether it names one. */
function keyOf({ persona_key, llm_config_id, agent_type, model_name }: JsonObject): string {
  const model = model_name === null ? 'null' : typeof model_name;
  return `${written(persona_key)} ${written(llm_config_id)} ${written(agent_type)} ${model}`;
}

function written(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value);
}

/** Layers, and what they were made from. */
interface Collected {
  readonly layers: LowerLayers | undefined;
  readonly from: readonly (readonly [kind: 'system' | 'persona' | 'llm', id: string, value: JsonObject | undefined])[];
  /** The profile an agent gets that names none. */
  readonly firstLlm: string | undefined;
  /** Whether all that is named was there. */
  readonly isWhole: boolean;
}

/** By persona, profile and type; it lives as long as the context. */
const shared = new WeakMap<RuleContext, Map<string, Collected>>();

function collect({ project }: RuleContext, { file, name, version, value }: Agent): Collected {
  const request = { agent_name: name, version, file: { path: file.path, value }, project, variables: { get: () => undefined } };
  const stack = collectFragments(request, project.settings.environment, ignoreProblem);
  const ids: readonly (readonly ['system' | 'persona' | 'llm', string | undefined])[] = [
    ['system', 'system'],
    ['system', environmentId(project)],
    ['persona', stack.persona?.id],
    ['llm', stack.llm?.id],
  ];
  return {
    layers: stack.fragments.some(choosesByVariable) ? undefined : { fragments: withoutAgent(stack), hasLlm: stack.llm !== undefined },
    from: ids.flatMap(([kind, id]) => (id === undefined ? [] : [[kind, id, project.value(kind, id)] as const])),
    firstLlm: firstLlm(project),
    isWhole: !stack.broken.llm && !stack.broken.persona,
  };
}

function isCurrent({ from, firstLlm: first }: Collected, project: ProjectIndex): boolean {
  for (const [kind, id, value] of from) if (project.value(kind, id) !== value) return false;
  return firstLlm(project) === first;
}

function firstLlm(project: ProjectIndex): string | undefined {
  return project.ids('llm').keys().next().value;
}

/** Whether system.json or the environment says something about this agent alone. */
function hasOwnSection(project: ProjectIndex, name: string): boolean {
  return names(project.value('system', 'system'), name) || names(project.value('system', environmentId(project)), name);
}

function names(file: JsonObject | undefined, name: string): boolean {
  const agents = file?.agents;
  return isObject(agents) && Object.hasOwn(agents, name);
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
