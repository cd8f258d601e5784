import { type AgentTarget, findAgent } from '../../config/agentReference.js';
import type { ConfigFile } from '../../config/configFile.js';
import type { TaskPart } from '../../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { type Fragment, taskFragments } from '../../snapshot/layering.js';
import type { RuleContext } from '../rule.js';
import { collectLayers, type Layers } from './layers.js';

/** The layers of a task, lowest first: those under its persona or agent file, that file, the task itself, its `config`. */
export interface TaskLayers extends Layers {
  /** The agent of a task that runs an agent file. */
  readonly agent: AgentTarget | undefined;
}

/**
 * The layers of a task of the orchestration. Undefined where its agent or persona is missing or not a JSON object, which other rules report,
 * and where a `${VAR}` decides, whose value only a run knows.
 */
export function taskLayersOf(file: ConfigFile, task: TaskPart, context: RuleContext): TaskLayers | undefined {
  const { agent: reference } = task.value;
  const target = typeof reference === 'string' ? findAgent(context.project, reference) : undefined;
  const agentFile = target && context.agent(target.name, target.version);
  if (reference !== undefined && !isObject(agentFile?.value)) return undefined;
  const persona = task.value.persona_key;
  const name = target?.name ?? task.name;
  const version = target?.version ?? persona;
  if (name === undefined || typeof version !== 'string') return undefined;

  const taskLayers: Fragment[] = [];
  if (agentFile !== undefined && isObject(agentFile.value))
    taskLayers.push({ layer: 'agent', file: agentFile.path, pointer: '', kind: 'agent', value: agentFile.value });
  taskLayers.push(...taskFragments({ path: file.path, pointer: task.pointer, value: task.value }));
  // These few fields choose the persona and the profile; the highest layer that gives one counts.
  const value: JsonObject = Object.assign({}, ...taskLayers.map((layer) => partsOf(layer.value, decidingFields)));
  if (!isThere(value.persona_key, context)) return undefined;
  const layers = collectLayers(context, { path: file.path, name, version, value });
  if (layers === undefined) return undefined;
  const [lowest, ...above] = layers.fragments;
  return { fragments: [lowest, ...above.slice(0, -1), ...taskLayers], hasLlm: layers.hasLlm, agent: target };
}

const decidingFields = ['persona_key', 'llm_config_id', 'agent_type', 'model_name'];

function partsOf(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name] as Json]] : [])));
}

function isThere(persona: Json | undefined, { project }: RuleContext): boolean {
  return typeof persona !== 'string' || project.value('persona', persona) !== undefined;
}
