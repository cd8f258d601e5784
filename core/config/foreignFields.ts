import { isObject, type Json, type JsonObject } from '../json.js';
import { nearestNames } from '../names.js';
import { findForeignName } from './foreignNames.js';

/** A field of ours that an object gives in another tool's way. */
export interface ForeignField {
  readonly field: string;
  /** Keys from the object to the value. */
  readonly from: readonly string[];
  /** Whether the value can be taken over as it is. */
  readonly safe: boolean;
}

/** Objects in which other tools keep fields that belong to the object around, by a field that this object then has. */
const groups: ReadonlyMap<string, string> = new Map([
  ...under('model_name', [
    'llm',
    'behavior',
    'behaviour',
    'llm_config',
    'model_config',
    'model_settings',
    'generation_config',
    'generationConfig',
  ]),
  // What a file is about, as the one key of the file.
  ...under('agent_type', ['agent', 'agent_config', 'persona']),
  ...under('entry_team', ['orchestration', 'workflow']),
]);

function under(field: string, keys: readonly string[]): readonly (readonly [string, string])[] {
  return keys.map((key) => [key, field]);
}

/** Whether a key of an object with the fields `names` is such a group. */
export function isForeignGroup(key: string, value: Json | undefined, names: readonly string[]): value is JsonObject {
  const field = groups.get(key);
  return field !== undefined && isObject(value) && names.includes(field) && !names.includes(key);
}

/** The fields of ours that an object of an agent's or a profile's fields gives under other names or in a group, as written. */
export function foreignFieldsOf(value: JsonObject, names: readonly string[]): readonly ForeignField[] {
  return Object.entries(value).flatMap(([key, part]): readonly ForeignField[] => {
    if (isForeignGroup(key, part, names)) return fieldsInGroup(key, part, names);
    if (key === 'llm' && typeof part === 'string' && names.includes('llm_config_id'))
      return [{ field: 'model_name', from: [key], safe: false }];
    if (key === 'prompts' && isObject(part) && names.includes('system_text')) return textsInPrompts(part);
    if (key === 'pipeline_map' && isObject(part)) return pipelineFields.map((field) => ({ field, from: [key], safe: false }));
    const foreign = findForeignName(key, names);
    return foreign === undefined ? [] : [{ field: foreign.replacement, from: [key], safe: foreign.safe }];
  });
}

/** What an entry of a pipeline map says of its agent. */
const pipelineFields = ['agent_name', 'version', 'agent_type', 'model_name', 'system_text'];

/** The fields of ours in an object that other tools have between a field and the object it belongs to. */
export function fieldsInGroup(group: string, value: JsonObject, names: readonly string[]): readonly ForeignField[] {
  return Object.keys(value).flatMap((key): readonly ForeignField[] => {
    if (names.includes(key)) return [{ field: key, from: [group, key], safe: true }];
    const foreign = findForeignName(key, names);
    return foreign === undefined ? [] : [{ field: foreign.replacement, from: [group, key], safe: foreign.safe }];
  });
}

const ownPrompts = ['system_prompt', 'system_prompt_version', 'few_shot_examples'];

/** Texts in `prompts`, which with us names files of the prompt store: the system text, and what else the model is told. */
function textsInPrompts(prompts: JsonObject): readonly ForeignField[] {
  // A key that resembles one of ours is taken for a misspelling.
  const isOther = (key: string) => findForeignName(key, ownPrompts) === undefined && nearestNames(key, ownPrompts).length === 0;
  const texts = Object.keys(prompts).filter((key) => typeof prompts[key] === 'string' && isOther(key));
  return texts.map((key) => ({ field: key === 'system' ? 'system_text' : 'purpose_text', from: ['prompts', key], safe: key === 'system' }));
}
