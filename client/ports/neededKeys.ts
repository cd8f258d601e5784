import { defaultProvider } from '../../core/config/defaults.js';
import type { ProjectIndex } from '../../core/config/projectIndex.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { type KeyPlace, keyPlaceFor } from '../../core/llm/providers/apiKey.js';
import { compareNatural } from '../../core/names.js';
import type { Environment } from '../../core/ports.js';
import { secretVariable } from '../../core/secrets/secretVariable.js';

/** A key that a project's models are called with. */
export interface NeededKey extends KeyPlace {
  readonly provider: string;
  /** Ids of the llm profiles that need it; empty where agents name a provider themselves. */
  readonly profiles: readonly string[];
}

/** The keys that the llm profiles of a project need in an environment, and those that `agent_defaults` names; each once, in natural order. */
export function neededKeys(project: ProjectIndex, environment: string): readonly NeededKey[] {
  const needed = new Map<string, NeededKey>();
  for (const id of project.ids('llm').keys()) {
    const key = keyOfProfile(project, environment, id);
    if (key === undefined) continue;
    const existing = needed.get(key.name);
    needed.set(key.name, existing === undefined ? key : { ...existing, profiles: [...existing.profiles, id] });
  }
  for (const layer of layersOf(project, environment)) {
    const defaults = layer.agent_defaults;
    if (!isObject(defaults) || typeof defaults.model_name !== 'string') continue;
    const provider = textIn([defaults], 'provider') ?? defaultProvider;
    const place = keyPlaceFor({ provider });
    if (place !== undefined && !needed.has(place.name)) needed.set(place.name, { ...place, provider, profiles: [] });
  }
  return [...needed.values()].sort((left, right) => compareNatural(left.name, right.name));
}

/** The key that one llm profile needs; undefined where it needs none. */
export function keyOfProfile(project: ProjectIndex, environment: string, id: string): NeededKey | undefined {
  const settings = profileSettings(project, environment, id);
  const place = keyPlaceFor(settings);
  return place && { ...place, provider: settings.provider, profiles: [id] };
}

export interface ProfileSettings {
  readonly provider: string;
  readonly model_name: string | undefined;
  readonly api_key?: string;
  readonly api_key_env?: string;
}

/** What an llm profile says about its model, over what system and environment say about it. */
export function profileSettings(project: ProjectIndex, environment: string, id: string): ProfileSettings {
  const below = layersOf(project, environment).map(({ llms }) => (isObject(llms) && Object.hasOwn(llms, id) ? llms[id] : undefined));
  const layers = [project.value('llm', id), ...below].filter(isObject);
  const [api_key, api_key_env] = [textIn(layers, 'api_key'), textIn(layers, 'api_key_env')];
  return {
    provider: textIn(layers, 'provider') ?? defaultProvider,
    model_name: textIn(layers, 'model_name'),
    ...(api_key !== undefined && { api_key }),
    ...(api_key_env !== undefined && { api_key_env }),
  };
}

/** Where a key was found: the one that counts when it is in both places. */
export type KeyState = 'stored' | 'environment' | 'missing';

/** @param isStored whether VS Code's secret storage has one of this name */
export function keyState({ kind, name }: KeyPlace, isStored: boolean, environment: Environment): KeyState {
  const variable = kind === 'variable' ? name : secretVariable(name);
  const isSet = (environment.get(variable)?.trim() ?? '') !== '';
  if (isSet && (kind === 'variable' || !isStored)) return 'environment';
  return isStored ? 'stored' : 'missing';
}

/** Environment first, since it lies higher. */
function layersOf(project: ProjectIndex, environment: string): readonly JsonObject[] {
  const id = environment === 'system' ? 'environments/system' : environment;
  return [project.value('system', id), project.value('system', 'system')].filter(isObject);
}

/** The topmost value of a field; null removes what lies below. */
function textIn(layers: readonly JsonObject[], field: string): string | undefined {
  const value = layers.find((layer) => Object.hasOwn(layer, field))?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
