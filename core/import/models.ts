import { builtInProviders } from '../config/providers.js';
import type { JsonObject } from '../json.js';
import { modelOwner } from '../llm/modelOwner.js';
import { createModelTable } from '../llm/modelTable.js';
import { compareNatural } from '../names.js';
import type { At, Draft, ModelNames } from '../otherTools/types.js';
import { quoted } from '../words.js';

/** What others call our providers. */
const providerNames: Readonly<Record<string, string>> = {
  google: 'gemini',
  'google-vertex': 'gemini',
  vertex_ai: 'gemini',
  azure: 'azure_openai',
  'azure-openai': 'azure_openai',
  claude: 'anthropic',
};

/** Servers that speak OpenAI's Chat Completions, with their addresses as their documentation has them. */
const compatible: Readonly<Record<string, { readonly base_url: string; readonly api_key_env?: string }>> = {
  ollama: { base_url: 'http://localhost:11434/v1' },
  openrouter: { base_url: 'https://openrouter.ai/api/v1', api_key_env: 'OPENROUTER_API_KEY' },
  groq: { base_url: 'https://api.groq.com/openai/v1', api_key_env: 'GROQ_API_KEY' },
  deepseek: { base_url: 'https://api.deepseek.com', api_key_env: 'DEEPSEEK_API_KEY' },
  mistral: { base_url: 'https://api.mistral.ai/v1', api_key_env: 'MISTRAL_API_KEY' },
  xai: { base_url: 'https://api.x.ai/v1', api_key_env: 'XAI_API_KEY' },
};

const table = createModelTable();

export function modelFields(model: string, at: At, draft: Pick<Draft, 'note' | 'profile'>): JsonObject {
  const slash = model.indexOf('/');
  const prefix = slash < 0 ? '' : model.slice(0, slash).toLowerCase();
  const name = slash < 0 ? model : model.slice(slash + 1);
  if (name === '') return {};
  const server = Object.hasOwn(compatible, prefix) ? compatible[prefix] : undefined;
  if (server !== undefined)
    return { llm_config_id: draft.profile(`${prefix}_${name}`, { provider: 'openai_compatible', model_name: name, ...server }, at) };
  const provider = providerOf(prefix);
  if (provider === 'azure_openai') {
    draft.note(
      at,
      `${quoted(model)} is a deployment of Azure, whose address is not in this file: write an llm profile with base_url, and name it as llm_config_id.`,
    );
    return {};
  }
  if (provider !== undefined) return { provider, model_name: knownName(name, provider) };
  if (prefix !== '') {
    draft.note(
      at,
      `The model ${quoted(model)} is left out: no provider here is called ${quoted(prefix)}. Write an llm profile that reaches it, and name it as llm_config_id.`,
    );
    return {};
  }
  const owner = modelOwner(name) ?? builtInProviders.find((known) => table.find(name, known) !== undefined);
  if (owner === undefined) {
    draft.note(at, `No provider is known to have the model ${quoted(model)}. Give "provider", or an llm profile as llm_config_id.`);
    return { model_name: name };
  }
  return { provider: owner, model_name: knownName(name, owner) };
}

function providerOf(name: string): string | undefined {
  const plain = name.toLowerCase();
  if (Object.hasOwn(providerNames, plain)) return providerNames[plain];
  return builtInProviders.find((known) => known === plain);
}

function compatibleServer(name: string): JsonObject | undefined {
  const plain = name.toLowerCase();
  return Object.hasOwn(compatible, plain) ? { provider: 'openai_compatible', ...compatible[plain] } : undefined;
}

/** `claude-sonnet-4.5` is `claude-sonnet-4-5` to its provider. */
function knownName(name: string, provider: string): string {
  const dashed = name.replaceAll('.', '-');
  return provider === 'anthropic' && table.find(name, provider) === undefined && table.find(dashed, provider) !== undefined ? dashed : name;
}

function newestClaude(family: string): string | undefined {
  const names = table.names('anthropic').filter((name) => name.startsWith(`claude-${family}-`) && /-[\d-]+$/.test(name));
  return names
    .filter((name) => table.find(name, 'anthropic')?.deprecated === undefined)
    .sort(compareNatural)
    .at(-1);
}

export const modelNames: ModelNames = { provider: providerOf, compatibleServer, newestClaude };
