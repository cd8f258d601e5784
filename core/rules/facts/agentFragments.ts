import type { ConfigFile } from '../../config/configFile.js';
import { tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import { isObject, type JsonObject, pointerOf } from '../../json.js';

/** An object with fields of an agent, and where it stands in its file. */
export interface PlacedFragment {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The objects of a file that have the fields of an agent. */
export function fragmentsIn({ identity: { kind }, value }: ConfigFile): readonly PlacedFragment[] {
  if (!isObject(value)) return [];
  if (kind === 'agent' || kind === 'persona') return [{ value, pointer: '' }];
  if (kind === 'orchestration') {
    const tasks = teamsIn(value).flatMap(tasksIn);
    return tasks.flatMap(({ value: { config }, pointer }) => (isObject(config) ? [{ value: config, pointer: `${pointer}/config` }] : []));
  }
  if (kind !== 'system') return [];
  const agents = isObject(value.agents) ? value.agents : {};
  const places = [
    ...['agent_defaults', 'persona_defaults'].map((part) => ({ value: value[part], pointer: pointerOf(part) })),
    ...Object.keys(agents).map((name) => ({ value: agents[name], pointer: pointerOf('agents', name) })),
  ];
  return places.flatMap(({ value: fields, pointer }) => (isObject(fields) ? [{ value: fields, pointer }] : []));
}

/** Sections of system.json and tasks hold fragments of agents and llm profiles; which strings expand depends on the path inside the fragment. */
export function pathInFragment({ identity }: Pick<ConfigFile, 'identity'>, path: readonly string[]): readonly string[] {
  // Below `teams`, only the `config` of a task is a fragment.
  if (identity.kind === 'orchestration') return path[4] === 'config' ? path.slice(5) : path;
  if (identity.kind !== 'system') return path;
  const [section] = path;
  if (section === 'agents' || section === 'llms') return path.slice(2);
  return section === 'agent_defaults' || section === 'persona_defaults' ? path.slice(1) : path;
}
