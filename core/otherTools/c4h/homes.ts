import { isObject, type Json, pointerOf, valueAt } from '../../json.js';
import { isLegalName } from '../../kinds.js';
import { quoted } from '../../words.js';
import type { ForeignHome, ForeignKey, Move, NewFile } from '../types.js';

/** `llm_config: {personas, agents, default_model, temperature}` of system.json. */
export function homeOfLlmConfig(foreign: ForeignKey): ForeignHome {
  const { file } = foreign;
  const config = valueAt(file.value, '/llm_config');
  const { personas, ...parts } = isObject(config) ? config : {};
  const fixedMoves = llmConfigMoves.filter(
    ({ from, to }) => valueAt(file.value, from) !== undefined && valueAt(file.value, to) === undefined,
  );
  const moves = [
    ...fixedMoves,
    ...foreign.movesToDefaults({ llm_config: parts }).filter(({ to }) => !fixedMoves.some((move) => move.to === to)),
  ];
  const homes = [
    `a persona belongs in a file of its own, ${foreign.pathOf('persona', '{persona_key}')}`,
    `a profile in ${foreign.pathOf('llm', '{llm_id}')}`,
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
export function homeOfPersonas(foreign: ForeignKey): ForeignHome {
  const path = foreign.pathOf('persona', '{persona_key}');
  return {
    message: `"personas" is not read here: a persona belongs in a file of its own, ${path}.`,
    files: personaFiles(foreign, valueAt(foreign.file.value, '/personas'), ['personas']),
    safe: false,
  };
}

/** A file for each persona without one. */
function personaFiles(
  { project, pathOf, inOurNames }: ForeignKey,
  personas: Json | undefined,
  segments: readonly string[],
): readonly NewFile[] {
  return Object.entries(isObject(personas) ? personas : {}).flatMap(([name, persona]): readonly NewFile[] => {
    if (!isObject(persona) || !isLegalName(name) || project.ids('persona').has(name)) return [];
    const path = pathOf('persona', name);
    return [{ path, value: inOurNames(persona, 'persona'), from: [pointerOf(...segments, name)] }];
  });
}

/** `orchestration: {entry_team, teams}` of system.json, where only the limits of all orchestrations are. */
export function homeOfTeams({ file, project, key, segments, pathOf }: ForeignKey): ForeignHome {
  const around = valueAt(file.value, pointerOf(...segments));
  const { entry_team, teams } = isObject(around) ? around : {};
  const name = ['main', typeof entry_team === 'string' ? entry_team : 'main', 'teams'].find(
    (id) => isLegalName(id) && !project.ids('orchestration').has(id),
  );
  const isWhole = isObject(teams) && entry_team !== undefined && name !== undefined;
  const from = [pointerOf(...segments, 'entry_team'), pointerOf(...segments, 'teams')];
  const message = `${quoted(key)} belongs to an orchestration, a file of its own (${pathOf('orchestration', '{name}')}): system.json has only the limits of all of them.`;
  if (!isWhole) return { message, safe: false };
  const path = pathOf('orchestration', name);
  return { message: `${message} Move it to ${path}.`, files: [{ path, value: { name, entry_team, teams }, from }], safe: false };
}
