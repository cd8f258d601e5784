import { isObject, type Json, type JsonObject, segmentsOf } from '../json.js';
import type { SchemaError } from '../schema/types.js';
import type { ConfigFile } from './configFile.js';
import type { ProjectSettings } from './projectSettings.js';

export const defaultSettings: ProjectSettings = Object.freeze({
  needs_marks: false,
  other_tools: true,
  config_dir: 'config',
  environment: 'dev',
  rules: {},
  models: {},
  skills: {},
  providers: [],
});

/** Of a project without agentstack.json. */
export const settingsWithoutFile: ProjectSettings = Object.freeze({ ...defaultSettings, needs_marks: true });

/**
 * The settings that agentstack.json gives. Values that its schema rejects are left out, as narrowly as possible (one rule, one model, one field), so
 * the defaults apply there; the rules report it.
 */
export function readSettings(file: Pick<ConfigFile, 'value' | 'schemaErrors'>): ProjectSettings {
  if (!isObject(file.value)) return defaultSettings;
  const { config_dir, other_tools, environment, rules, models, skills, providers, tools, tools_env, recordings, assumed_input_tokens } =
    withoutRefused(file.value, file.schemaErrors);
  return {
    needs_marks: false,
    other_tools: other_tools !== false,
    config_dir: typeof config_dir === 'string' ? normalFolder(config_dir) : defaultSettings.config_dir,
    environment: typeof environment === 'string' ? environment : defaultSettings.environment,
    // The remaining values have the form that the schema requires.
    rules: (rules ?? defaultSettings.rules) as ProjectSettings['rules'],
    models: (models ?? defaultSettings.models) as ProjectSettings['models'],
    skills: (skills === undefined ? defaultSettings.skills : usable(skills)) as ProjectSettings['skills'],
    providers: (providers ?? defaultSettings.providers) as ProjectSettings['providers'],
    ...(typeof tools === 'string' && { tools }),
    ...(tools_env !== undefined && { tools_env: tools_env as readonly string[] }),
    ...(typeof recordings === 'string' && { recordings: normalFolder(recordings) }),
    ...(typeof assumed_input_tokens === 'number' && { assumed_input_tokens }),
  };
}

/** A skill with an invalid description cannot be offered to a model. */
function usable(skills: Json): Json {
  if (!isObject(skills)) return {};
  return Object.fromEntries(Object.entries(skills).filter(([, skill]) => isObject(skill) && skill.description !== undefined));
}

/** `./config/` is `config`; the project folder itself is `.`. */
function normalFolder(written: string): string {
  const segments = written.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.join('/') || '.';
}

function withoutRefused(value: JsonObject, errors: readonly SchemaError[]): JsonObject {
  let kept = value;
  // A key unknown to the schema is not read, so it is harmless.
  for (const { pointer, keyword, params } of errors) {
    if (keyword === 'additionalProperties') continue;
    const inside = keyword === 'propertyNames' ? [String(params.propertyName)] : [];
    kept = without(kept, [...segmentsOf(pointer), ...inside]);
  }
  return kept;
}

/** Without the value at a path; if it is in a list, or deeper than a field of a model, without its container. */
function without(value: JsonObject, [key, ...below]: readonly string[]): JsonObject {
  if (key === undefined) return {};
  if (!Object.hasOwn(value, key)) return value;
  const entries = Object.entries(value).flatMap(([name, item]): [string, JsonObject[string]][] => {
    if (name !== key) return [[name, item]];
    return below.length > 0 && isObject(item) ? [[name, without(item, below)]] : [];
  });
  return Object.fromEntries(entries);
}
