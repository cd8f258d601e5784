import type { ProjectIndex } from '../config/projectIndex.js';
import type { builtInProviders } from '../config/providers.js';
import { isObject, type JsonObject } from '../json.js';
import { compareNatural } from '../names.js';
import { type NewFile, toNewFile } from './newFile.js';

/** @param name a legal name that no llm profile has */
export function newLlmFile({ settings }: Pick<ProjectIndex, 'settings'>, name: string, form: LlmForm): NewFile {
  return toNewFile('llm', name, settings, llmTemplate(name, form));
}

/** The llm profile that agents without a model of their own use. Undefined where the defaults name a model, or there is no profile. */
function findFallbackProfile(project: Pick<ProjectIndex, 'ids' | 'value' | 'settings'>): string | undefined {
  return hasDefaultModel(project) ? undefined : project.ids('llm').keys().next().value;
}

/** The profile whose place a new one would take in agents without a model of their own, since they use the first by name. */
export function findDisplacedProfile(project: Pick<ProjectIndex, 'ids' | 'value' | 'settings'>, name: string): string | undefined {
  const first = findFallbackProfile(project);
  return first !== undefined && compareNatural(name, first) < 0 ? first : undefined;
}

/** Whether system.json or the environment names a model or a profile for every agent. */
export function hasDefaultModel(project: Pick<ProjectIndex, 'value' | 'settings'>): boolean {
  return ['system', project.settings.environment].some((id) => {
    const defaults = project.value('system', id)?.agent_defaults;
    return isObject(defaults) && (typeof defaults.model_name === 'string' || typeof defaults.llm_config_id === 'string');
  });
}

/** What model a new profile is for. */
interface LlmForm {
  readonly provider: string;
  /** Default: a current model of the provider. */
  readonly model_name?: string | undefined;
}

/** A new llm profile. The key is named, never given: `secret://openai_api_key` is the variable OPENAI_API_KEY on the command line. */
export function llmTemplate(llm_id: string, { provider, model_name }: LlmForm): JsonObject {
  const fields = Object.hasOwn(templates, provider) ? templates[provider as keyof typeof templates] : { model_name: 'my-model' };
  return { llm_id, provider, ...fields, ...(model_name !== undefined && { model_name }) };
}

const templates: Readonly<Record<(typeof builtInProviders)[number], JsonObject>> = {
  openai: { model_name: 'gpt-5.4-mini', api_key: 'secret://openai_api_key' },
  openai_compatible: { model_name: 'llama3.2', base_url: 'http://127.0.0.1:11434/v1' },
  azure_openai: {
    model_name: 'my-deployment',
    base_url: 'https://YOUR-RESOURCE.openai.azure.com',
    api_key: 'secret://azure_openai_api_key',
  },
  anthropic: { model_name: 'claude-sonnet-5-5', api_key: 'secret://anthropic_api_key' },
  gemini: { model_name: 'gemini-3.8-flash', api_key: 'secret://gemini_api_key' },
  vscode: { model_name: 'gpt-5-mini' },
  offline: { model_name: 'offline' },
};
