import { pathOf } from '../../config/paths.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../json.js';
import { isLegalName, type Kind } from '../../kinds.js';
import { pipelineAgent } from '../../otherTools/a2rchi.js';
import { foreignFieldsOf } from '../../otherTools/fieldNames.js';
import { fieldsAt } from '../../schema/kindFields.js';
import { listed, quoted } from '../../words.js';
import { movesTo } from './foreignGroups.js';
import type { ForeignHome, ForeignKey, Move, NewFile } from './foreignKey.js';

/** The home of what stands in system.json or in an agent with another tool, and in files of its own here. */
export function foreignFileHome(foreign: ForeignKey): ForeignHome | undefined {
  const { file, key, segments } = foreign;
  const place = [...segments, key].join('/');
  if (key === 'pipeline_map') return homeOfPipelines(foreign);
  if (file.identity.kind !== 'system') return undefined;
  if (place === 'llm_config') return homeOfLlmConfig(foreign);
  if (place === 'personas') return homeOfPersonas(foreign);
  if (/^(?:orchestration\/)?(?:teams|entry_team)$/.test(place)) return homeOfTeams(foreign);
  return undefined;
}

/** `llm_config: {personas, agents, default_model, temperature}` of system.json. */
function homeOfLlmConfig(foreign: ForeignKey): ForeignHome {
  const { file, project } = foreign;
  const config = valueAt(file.value, '/llm_config');
  const { personas, ...parts } = isObject(config) ? config : {};
  const names = fieldsAt('system', ['agent_defaults']) ?? [];
  const ofAll = foreignFieldsOf({ llm_config: parts }, names);
  const known = llmConfigMoves.filter(({ from, to }) => valueAt(file.value, from) !== undefined && valueAt(file.value, to) === undefined);
  const moves = [...known, ...movesTo(file.value, ofAll, names).filter(({ to }) => !known.some((move) => move.to === to))];
  const homes = [
    `a persona belongs in a file of its own, ${pathOf('persona', '{persona_key}', project.settings)}`,
    `a profile in ${pathOf('llm', '{llm_id}', project.settings)}`,
    'fields of one agent under "agents", those of all under "agent_defaults"',
  ];
  const files = personaFiles(foreign, personas, ['llm_config', 'personas']);
  return {
    message: `"llm_config" is a group of another tool, which is not read: ${homes.join(', ')}.`,
    files,
    moves,
    ...(files.length + moves.length === 0 && { replaced: ['/llm_config'] }),
    safe: false,
  };
}

const llmConfigMoves: readonly Move[] = [
  { from: '/llm_config/agents', to: '/agents' },
  { from: '/llm_config/default_provider', to: '/agent_defaults/provider' },
  { from: '/llm_config/default_model', to: '/agent_defaults/model_name' },
];

/** `personas: {key: {...}}` at the root of system.json. */
function homeOfPersonas(foreign: ForeignKey): ForeignHome {
  const path = pathOf('persona', '{persona_key}', foreign.project.settings);
  return {
    message: `"personas" is not read here: a persona belongs in a file of its own, ${path}.`,
    files: personaFiles(foreign, valueAt(foreign.file.value, '/personas'), ['personas']),
    safe: false,
  };
}

/** A file for each persona that has none yet. */
function personaFiles({ project }: ForeignKey, personas: Json | undefined, segments: readonly string[]): readonly NewFile[] {
  return Object.entries(isObject(personas) ? personas : {}).flatMap(([name, persona]): readonly NewFile[] => {
    if (!isObject(persona) || !isLegalName(name) || project.ids('persona').has(name)) return [];
    const path = pathOf('persona', name, project.settings);
    return [{ path, value: inOurNames(persona, 'persona'), from: [pointerOf(...segments, name)] }];
  });
}

/** `orchestration: {entry_team, teams}` of system.json, where only the limits of all orchestrations are. */
function homeOfTeams({ file, project, key, segments }: ForeignKey): ForeignHome {
  const around = valueAt(file.value, pointerOf(...segments));
  const { entry_team, teams } = isObject(around) ? around : {};
  const name = ['main', typeof entry_team === 'string' ? entry_team : 'main', 'teams'].find(
    (one) => isLegalName(one) && !project.ids('orchestration').has(one),
  );
  const isWhole = isObject(teams) && entry_team !== undefined && name !== undefined;
  const from = [pointerOf(...segments, 'entry_team'), pointerOf(...segments, 'teams')];
  const message = `${quoted(key)} belongs to an orchestration, a file of its own (${pathOf('orchestration', '{name}', project.settings)}): system.json has only the limits of all of them.`;
  if (!isWhole) return { message, safe: false };
  const path = pathOf('orchestration', name, project.settings);
  return { message: `${message} Move it to ${path}.`, files: [{ path, value: { name, entry_team, teams }, from }], safe: false };
}

/** `pipeline_map: {Agent: {models, prompts}}`: each entry is an agent file. */
function homeOfPipelines(foreign: ForeignKey): ForeignHome | undefined {
  const { file, project, segments, key } = foreign;
  const map = valueAt(file.value, pointerOf(...segments, key));
  if (!isObject(map)) return undefined;
  const { kind, name, version } = file.identity;
  const own = kind !== 'agent' || segments.length > 0 ? undefined : Object.hasOwn(map, name) ? name : Object.keys(map)[0];
  const sets: Record<string, Json> = {};
  if (own !== undefined) {
    const fields: JsonObject = { agent_name: name, version: version ?? 'v1', ...pipelineAgent(map[own]) };
    for (const [field, value] of Object.entries(fields))
      if (valueAt(file.value, pointerOf(field)) === undefined) sets[pointerOf(field)] = value;
  }
  const files = Object.entries(map).flatMap(([agent, entry]): readonly NewFile[] => {
    if (agent === own || !isLegalName(agent) || project.versions(agent).length > 0) return [];
    return [
      {
        path: pathOf('agent', `${agent}@v1`, project.settings),
        value: { agent_name: agent, version: 'v1', ...pipelineAgent(entry) },
        from: [pointerOf(...segments, key, agent)],
      },
    ];
  });
  const homes = listed(Object.keys(map).map((agent) => (agent === own ? file.path : pathOf('agent', `${agent}@v1`, project.settings))));
  return {
    message: `"pipeline_map" is another tool's list of agents, which is not read. An agent is a file: ${homes}. Its chat_model belongs in "provider" and "model_name", its agent_prompt in "prompts" or "system_text".`,
    files,
    ...(own !== undefined && { sets, replaced: [pointerOf(...segments, key, own)] }),
    safe: false,
  };
}

/** An object of another tool with its fields called as a kind of file here calls them; what has no other name stays. */
function inOurNames(value: JsonObject, kind: Kind): JsonObject {
  const names = fieldsAt(kind, []) ?? [];
  const result: Record<string, Json> = {};
  const taken: string[] = [];
  const found: JsonObject = Object.fromEntries(
    foreignFieldsOf(value, names).flatMap(({ field, from }) => {
      if (Object.hasOwn(value, field) || taken.includes(field)) return [];
      taken.push(field, pointerOf(...from));
      return [[field, valueAt(value, pointerOf(...from)) as Json]];
    }),
  );
  for (const [key, part] of Object.entries(value)) {
    if (taken.includes(pointerOf(key))) continue;
    if (!isObject(part)) result[key] = part;
    else {
      const rest = Object.entries(part).filter(([inner]) => !taken.includes(pointerOf(key, inner)));
      if (rest.length > 0 || Object.keys(part).length === 0) result[key] = Object.fromEntries(rest);
    }
  }
  return { ...found, ...result };
}
