import { pathOf } from '../../config/paths.js';
import { type Json, pointerOf, valueAt } from '../../json.js';
import { foreignFieldsOf } from '../../otherTools/fieldNames.js';
import { quoted } from '../../words.js';
import { foreignFileHome } from './foreignFiles.js';
import { homeOfDefaults, homeOfGroup, takenFields } from './foreignGroups.js';
import type { ForeignHome, ForeignKey } from './foreignKey.js';
import { homeInProfile, homeOfKeyFile } from './foreignProfiles.js';

const homes = [
  homeOfLlmName,
  homeOfGroup,
  homeOfPromptText,
  homeOfKeyFile,
  homeOfEvaluation,
  homeInProfile,
  foreignFileHome,
  homeOfDefaults,
];

export function findForeignHome(foreign: ForeignKey): ForeignHome | undefined {
  for (const home of homes) {
    const found = home(foreign);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueUnder({ file, key, segments }: ForeignKey): Json | undefined {
  return valueAt(file.value, pointerOf(...segments, key));
}

/** `llm: "name"`: a profile where there is one of that name, otherwise a model. */
function homeOfLlmName(foreign: ForeignKey): ForeignHome | undefined {
  const { file, project, key, segments, names } = foreign;
  const name = valueUnder(foreign);
  if (key !== 'llm' || typeof name !== 'string' || !names.includes('llm_config_id')) return undefined;
  const field = project.ids('llm').has(name) ? 'llm_config_id' : 'model_name';
  const to = pointerOf(...segments, field);
  const isTaken = valueAt(file.value, to) !== undefined;
  const advice = isTaken ? `${quoted(field)} is there too: keep one of them.` : `Move it to ${quoted(field)}.`;
  return {
    message: `${quoted(key)} is another tool's name for "llm_config_id", an llm profile, or "model_name". ${advice}`,
    ...(isTaken ? { replaced: [pointerOf(...segments, key)] } : { moves: [{ from: pointerOf(...segments, key), to }] }),
    safe: false,
  };
}

const promptFields = ['system_text', 'purpose_text', 'prompts'];

/** `prompts: {system: "You are ..."}`: with us, `prompts` names files of the prompt store, and texts stand in the agent. */
function homeOfPromptText(foreign: ForeignKey): ForeignHome | undefined {
  const { file, key, segments } = foreign;
  const text = valueUnder(foreign);
  const around = segments.slice(0, -1);
  if (segments.at(-1) !== 'prompts' || typeof text !== 'string') return undefined;
  const [found] = foreignFieldsOf({ prompts: { [key]: text } }, promptFields);
  if (found === undefined) return undefined;
  const to = pointerOf(...around, found.field);
  const isTaken = takenFields(valueAt(file.value, pointerOf(...around)), 'prompts', promptFields).includes(found.field);
  const advice = isTaken ? `${quoted(found.field)} is there already: put the two together.` : 'Move it there.';
  return {
    message: `${quoted(key)} in prompts is another tool's place for ${quoted(found.field)}: here, prompts names files of the prompt store. ${advice}`,
    ...(!isTaken && { moves: [{ from: pointerOf(...segments, key), to }] }),
    safe: found.safe && !isTaken,
  };
}

/** How an agent is judged is not a field of it. */
function homeOfEvaluation(foreign: ForeignKey): ForeignHome | undefined {
  const { file, project, key, segments, names } = foreign;
  if (key !== 'evaluation' || !names.includes('agent_type')) return undefined;
  const cases = pathOf('payload', `${file.identity.name}/{case}`, project.settings);
  const isTaken = valueAt(file.value, pointerOf(...segments, 'description')) !== undefined;
  const isNote = typeof valueUnder(foreign) === 'string';
  const note = isTaken
    ? ' As a note for people it belongs in "description", which is there already: put the two together.'
    : ' As a note for people it belongs in "description".';
  return {
    message: `"evaluation" is not read: what an agent is tried with are its cases, ${cases}.${isNote ? note : ''}`,
    ...(isNote && !isTaken && { moves: [{ from: pointerOf(...segments, key), to: pointerOf(...segments, 'description') }] }),
    safe: false,
  };
}
