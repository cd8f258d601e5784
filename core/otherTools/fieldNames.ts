import { isObject, type Json, type JsonObject } from '../json.js';
import { nearestAmong, nearestNames } from '../names.js';
import { otherTools } from './index.js';
import { snakeCase } from './mark.js';
import type { FieldMeaning } from './types.js';

/** An Agent Stack field under the name that other tools give it. */
export interface ForeignName {
  readonly replacement: string;
  /** Whether a rename alone keeps the meaning, so that fix-all may do it. */
  readonly safe: boolean;
  /** What differs besides the name; a sentence. */
  readonly difference?: string;
}

/** An Agent Stack field that an object gives in another tool's form. */
export interface ForeignField {
  readonly field: string;
  /** Keys from the object to the value. */
  readonly from: readonly string[];
  /** Whether the value needs no conversion. */
  readonly safe: boolean;
}

/** What the names of all tools may stand for. */
const foreignNames = new Map<string, FieldMeaning[]>();
for (const { names = {} } of otherTools)
  for (const [key, fields] of Object.entries(names)) {
    const meanings = typeof fields === 'string' || 'field' in fields ? [fields] : fields;
    const before = foreignNames.get(key) ?? [];
    foreignNames.set(key, [...before, ...meanings.map((meaning) => (typeof meaning === 'string' ? { field: meaning } : meaning))]);
  }

const groups = new Map(otherTools.flatMap((tool) => Object.entries(tool.groups ?? {})));

/**
 * Which of the fields in `names` another tool calls `key`; an Agent Stack field in camelCase counts as well.
 *
 * @param value what the key holds. Default: what it would hold is not known, and any name counts
 */
export function findForeignName(key: string, names: readonly string[], value?: Json): ForeignName | undefined {
  const meaning = findMeaning(key, names, value);
  if (meaning === undefined) return undefined;
  const { field, difference } = meaning;
  return { replacement: field, safe: difference === undefined, ...(difference !== undefined && { difference }) };
}

function findMeaning(key: string, names: readonly string[], value?: Json): FieldMeaning | undefined {
  if (names.includes(key)) return undefined;
  const inSnakeCase = snakeCase(key);
  const fits = ({ field, isText }: FieldMeaning) => names.includes(field) && (!isText || value === undefined || typeof value === 'string');
  const named = foreignNames.get(key)?.find(fits) ?? foreignNames.get(inSnakeCase)?.find(fits);
  return named ?? (inSnakeCase !== key && names.includes(inSnakeCase) ? { field: inSnakeCase } : undefined);
}

/** The value of another tool's field in our unit; undefined if the unit is unknown. */
export function inOurUnit(key: string, field: string, value: Json): Json | undefined {
  const { difference, convert } = findMeaning(key, [field], value) ?? {};
  if (difference === undefined) return value;
  return convert === undefined || typeof value !== 'number' ? undefined : convert(value);
}

/** Finds the fields in `names` that other tools call by a name that a key is a misspelling of. */
export function misspeltAmong(names: readonly string[]): (key: string) => readonly string[] {
  const candidates = [...foreignNames].filter(([, meanings]) => meanings.some(({ field }) => names.includes(field)));
  const findNearest = nearestAmong(candidates.map(([name]) => name));
  return (key) => [...new Set(findNearest(key).flatMap((name) => findForeignName(name, names)?.replacement ?? []))];
}

/** Whether a key of an object with the fields `names` is a group: an object in which other tools keep fields of the object around. */
export function isForeignGroup(key: string, value: Json | undefined, names: readonly string[]): value is JsonObject {
  const field = groups.get(key);
  return field !== undefined && isObject(value) && names.includes(field) && !names.includes(key);
}

/** The Agent Stack fields that an agent or a profile gives under other names or in a group, as written. */
export function foreignFieldsOf(value: JsonObject, names: readonly string[]): readonly ForeignField[] {
  return Object.entries(value).flatMap(([key, part]): readonly ForeignField[] => {
    if (isForeignGroup(key, part, names)) return fieldsInGroup(key, part, names);
    if (key === 'llm' && typeof part === 'string' && names.includes('llm_config_id'))
      return [{ field: 'model_name', from: [key], safe: false }];
    if (key === 'prompts' && isObject(part) && names.includes('system_text')) return textsInPrompts(part);
    if (key === 'pipeline_map' && isObject(part)) return pipelineFields.map((field) => ({ field, from: [key], safe: false }));
    const foreign = findForeignName(key, names, part);
    return foreign === undefined ? [] : [{ field: foreign.replacement, from: [key], safe: foreign.safe }];
  });
}

/** The fields that an entry of a pipeline map gives for its agent. */
const pipelineFields = ['agent_name', 'version', 'agent_type', 'model_name', 'system_text'];

/** The Agent Stack fields in a nested object in which other tools keep fields of the object around it. */
export function fieldsInGroup(group: string, value: JsonObject, names: readonly string[]): readonly ForeignField[] {
  return Object.entries(value).flatMap(([key, part]): readonly ForeignField[] => {
    if (names.includes(key)) return [{ field: key, from: [group, key], safe: true }];
    const foreign = findForeignName(key, names, part);
    return foreign === undefined ? [] : [{ field: foreign.replacement, from: [group, key], safe: foreign.safe }];
  });
}

const ownPrompts = ['system_prompt', 'system_prompt_version', 'few_shot_examples'];

/** Texts in `prompts`, which here names files of the prompt store: the system text and further instructions. */
function textsInPrompts(prompts: JsonObject): readonly ForeignField[] {
  // A key that resembles a known one counts as a misspelling.
  const isOther = (key: string) => findForeignName(key, ownPrompts) === undefined && nearestNames(key, ownPrompts).length === 0;
  const texts = Object.keys(prompts).filter((key) => typeof prompts[key] === 'string' && isOther(key));
  return texts.map((key) => ({ field: key === 'system' ? 'system_text' : 'purpose_text', from: ['prompts', key], safe: key === 'system' }));
}

/** Model parameters without a field: a profile passes them to the provider unchanged, in `options`. */
const parameters: ReadonlySet<string> = new Set([
  'candidate_count',
  'extra_headers',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'min_p',
  'mirostat',
  'n',
  'num_ctx',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning',
  'reasoning_effort',
  'repeat_penalty',
  'repetition_penalty',
  'safety_settings',
  'seed',
  'service_tier',
  'stop',
  'stop_sequences',
  'thinking',
  'top_k',
  'top_logprobs',
  'typical_p',
  'user',
  'verbosity',
]);

export function isModelParameter(key: string): boolean {
  return parameters.has(key.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase());
}
