import { builtInProviderNames, providersByOtherNames } from '../builtInProviders.js';
import type { JsonObject } from '../json.js';
import { createModelTable, isGoing } from '../llm/modelTable.js';
import { findModelOwner } from '../llm/providers/providerFacts.js';
import { compareNatural } from '../names.js';
import { compatibleServers } from '../otherTools/compatibleServers.js';
import type { At, Draft, ModelNames } from '../otherTools/types.js';
import { quoted } from '../words.js';

const table = createModelTable();

export function modelFields(model: string, at: At, draft: Pick<Draft, 'note' | 'profile'>): JsonObject {
  const slash = model.indexOf('/');
  const prefix = slash < 0 ? '' : model.slice(0, slash).toLowerCase();
  const name = slash < 0 ? model : model.slice(slash + 1);
  if (name === '') return {};
  const server = compatibleServers.get(prefix);
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
  const owner = findModelOwner(name) ?? builtInProviderNames.find((provider) => table.find(name, provider) !== undefined);
  if (owner === undefined) {
    draft.note(at, `No provider is known to have the model ${quoted(model)}. Give "provider", or an llm profile as llm_config_id.`);
    return { model_name: name };
  }
  return { provider: owner, model_name: knownName(name, owner) };
}

function providerOf(name: string): string | undefined {
  const plain = name.toLowerCase();
  return providersByOtherNames.get(plain) ?? builtInProviderNames.find((provider) => provider === plain);
}

function connection(name: string): JsonObject | undefined {
  const server = compatibleServers.get(name.toLowerCase());
  if (server !== undefined) return { provider: 'openai_compatible', ...server };
  const provider = providerOf(name);
  return provider === undefined ? undefined : { provider };
}

/** Ollama speaks OpenAI's API below `/v1`. */
function addressOf(provider: string, address: string): string {
  return provider === 'ollama' && !/\/v1\/?$/.test(address) ? `${address.replace(/\/$/, '')}/v1` : address;
}

/** `claude-sonnet-4.5` is `claude-sonnet-4-5` to its provider. */
function knownName(name: string, provider: string): string {
  const dashed = name.replaceAll('.', '-');
  return provider === 'anthropic' && table.find(name, provider) === undefined && table.find(dashed, provider) !== undefined ? dashed : name;
}

function newestClaude(family: string): string | undefined {
  const names = table.names('anthropic').filter((name) => name.startsWith(`claude-${family}-`) && /-[\d-]+$/.test(name));
  return names
    .filter((name) => !isGoing(table.find(name, 'anthropic')))
    .sort(compareNatural)
    .at(-1);
}

export const modelNames: ModelNames = { connection, address: addressOf, newestClaude };
