import type { builtInProviders } from '../config/providers.js';
import type { JsonObject } from '../json.js';

/** What model a new profile is for. */
export interface LlmForm {
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
