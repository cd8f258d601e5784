import { builtInProviders } from '../config/providers.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { modelOwner } from '../llm/modelOwner.js';
import { createModelTable } from '../llm/modelTable.js';
import { compareNatural } from '../names.js';
import { shown } from '../rules/support/words.js';
import type { Draft } from './draft.js';
import type { At } from './types.js';

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

/**
 * The fields that say which model: `anthropic/claude-sonnet-4-6` gives provider and name, a name alone the provider that is known to have it. What is
 * reached at an address becomes an llm profile. Nothing where the text names no model of a known kind; the note says so.
 */
export function modelFields(model: string, draft: Draft, at: At): JsonObject {
  const slash = model.indexOf('/');
  const prefix = slash < 0 ? '' : model.slice(0, slash).toLowerCase();
  const name = slash < 0 ? model : model.slice(slash + 1);
  if (name === '') return {};
  const server = Object.hasOwn(compatible, prefix) ? compatible[prefix] : undefined;
  if (server !== undefined)
    return { llm_config_id: profileOf(`${prefix}_${name}`, { provider: 'openai_compatible', model_name: name, ...server }, draft, at) };
  const provider = providerOf(prefix);
  if (provider === 'azure_openai') {
    draft.note(
      at,
      `${shown(model)} is a deployment of Azure, whose address is not in this file: write an llm profile with base_url, and name it as llm_config_id.`,
    );
    return {};
  }
  if (provider !== undefined) return { provider, model_name: knownName(name, provider) };
  if (prefix !== '') {
    draft.note(
      at,
      `The model ${shown(model)} is left out: no provider here is called ${shown(prefix)}. Write an llm profile that reaches it, and name it as llm_config_id.`,
    );
    return {};
  }
  const owner = modelOwner(name) ?? builtInProviders.find((known) => table.find(name, known) !== undefined);
  if (owner === undefined) {
    draft.note(at, `No provider is known to have the model ${shown(model)}. Give "provider", or an llm profile as llm_config_id.`);
    return { model_name: name };
  }
  return { provider: owner, model_name: knownName(name, owner) };
}

/** Our name of a provider; undefined for one that there is not. */
export function providerOf(name: string): string | undefined {
  const plain = name.toLowerCase();
  if (Object.hasOwn(providerNames, plain)) return providerNames[plain];
  return builtInProviders.find((known) => known === plain);
}

/** The fields of an llm profile that reach a server of this name; undefined where none is known. */
export function compatibleServer(name: string): JsonObject | undefined {
  const plain = name.toLowerCase();
  return Object.hasOwn(compatible, plain) ? { provider: 'openai_compatible', ...compatible[plain] } : undefined;
}

/** `claude-sonnet-4.5` is `claude-sonnet-4-5` to its provider. */
function knownName(name: string, provider: string): string {
  const dashed = name.replaceAll('.', '-');
  return provider === 'anthropic' && table.find(name, provider) === undefined && table.find(dashed, provider) !== undefined ? dashed : name;
}

/** The newest model of a family that the table knows: `sonnet` to `claude-sonnet-5-5`. */
export function newestClaude(family: string): string | undefined {
  const names = table.names('anthropic').filter((name) => name.startsWith(`claude-${family}-`) && /-[\d-]+$/.test(name));
  return names
    .filter((name) => table.find(name, 'anthropic')?.deprecated === undefined)
    .sort(compareNatural)
    .at(-1);
}

/** Adds an llm profile. @returns its id */
export function profileOf(text: string, fields: JsonObject, draft: Draft, at: At, from: Readonly<Record<string, string>> = {}): string {
  const llm_id = draft.nameOf('llm', text.replaceAll('/', '_').replaceAll(':', '_'), at);
  draft.add('llm', llm_id, { llm_id }, fields, at, from);
  return llm_id;
}

/** A text of an object. */
export function textOf(value: Json | undefined, key: string): string | undefined {
  const text = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}
