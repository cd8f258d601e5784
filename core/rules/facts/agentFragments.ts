import type { ConfigFile } from '../../config/configFile.js';
import { tasksIn, teamsIn } from '../../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';

/** An object with fields of an agent, and its pointer. */
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

/** A JSON Schema in a file. */
export interface PlacedSchema {
  readonly schema: JsonObject;
  readonly pointer: string;
}

/** The schemas of a file: of answers and inputs, of the tools that agentstack.json declares, and of pinned tools. */
export function schemasIn(file: ConfigFile): readonly PlacedSchema[] {
  const { value, identity } = file;
  if (!isObject(value)) return [];
  const fields = fragmentsIn(file).flatMap((fragment) =>
    ['output_schema', 'input_schema'].map((field) => ({ holder: fragment.value, field, pointer: `${fragment.pointer}/${field}` })),
  );
  if (identity.kind === 'orchestration') fields.push({ holder: value, field: 'input_schema', pointer: '/input_schema' });
  const tools = [
    ...(identity.kind === 'settings' ? toolsOf(value.skills, '/skills') : []),
    ...(identity.kind === 'lock'
      ? objectsIn(value.servers, '/servers').flatMap(({ value: server, pointer }) => toolsOf(server.tools, `${pointer}/tools`))
      : []),
  ];
  return [...fields, ...tools].flatMap(({ holder, field, pointer }) => {
    const schema = Object.hasOwn(holder, field) ? holder[field] : undefined;
    return isObject(schema) ? [{ schema, pointer }] : [];
  });
}

function toolsOf(tools: Json | undefined, at: string) {
  return objectsIn(tools, at).map(({ value, pointer }) => ({ holder: value, field: 'parameters', pointer: `${pointer}/parameters` }));
}

function objectsIn(map: Json | undefined, at: string): readonly PlacedFragment[] {
  return Object.entries(isObject(map) ? map : {}).flatMap(([name, value]) =>
    isObject(value) ? [{ value, pointer: at + pointerOf(name) }] : [],
  );
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
