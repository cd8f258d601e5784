import { builtInProviders } from '../builtInProviders.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type JsonObject } from '../json.js';
import { findProviderFacts } from '../llm/providers/providerFacts.js';
import { type NewFile, toNewFile } from './newFile.js';

/** @param name a legal name that is free */
export function newLlmFile({ settings }: Pick<ProjectIndex, 'settings'>, name: string, form: LlmForm): NewFile {
  return toNewFile('llm', name, settings, llmTemplate(name, form));
}

/** The only profile, which agents without a model use until there is another. Undefined if the defaults name a model. */
export function findDisplacedProfile(project: Pick<ProjectIndex, 'ids' | 'value' | 'settings'>): string | undefined {
  const [only, another] = project.ids('llm').keys();
  return another === undefined && !hasDefaultModel(project) ? only : undefined;
}

/** Whether system.json or the environment names a model or a profile for every agent. */
export function hasDefaultModel(project: Pick<ProjectIndex, 'value' | 'settings'>): boolean {
  return ['system', project.settings.environment].some((id) => {
    const defaults = project.value('system', id)?.agent_defaults;
    return isObject(defaults) && (typeof defaults.model_name === 'string' || typeof defaults.llm_config_id === 'string');
  });
}

/** The model of a new profile. */
interface LlmForm {
  readonly provider: string;
  /** Default: a current model of the provider. */
  readonly model_name?: string | undefined;
}

/** A new LLM profile. It names its key, never contains it: `secret://openai_api_key` is the variable OPENAI_API_KEY on the command line. */
export function llmTemplate(llm_id: string, { provider, model_name }: LlmForm): JsonObject {
  const { model = 'my-model', exampleAddress } = builtInProviders.get(provider) ?? {};
  const keyVariable = findProviderFacts(provider)?.keyVariable;
  return {
    llm_id,
    provider,
    model_name: model_name ?? model,
    ...(exampleAddress !== undefined && { base_url: exampleAddress }),
    ...(keyVariable !== undefined && { api_key: `secret://${keyVariable.toLowerCase()}` }),
  };
}
