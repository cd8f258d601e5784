import { isObject, type Json, type JsonObject } from '../json.js';
import type { Draft } from './draft.js';
import { keyFields } from './keyFields.js';
import { compatibleServer, modelFields, profileOf, providerOf, textOf } from './models.js';
import type { At } from './types.js';

/** The fields of an agent for CrewAI's `llm`: `provider/model`, or an object with an address, which becomes a profile. */
export function crewaiModel(llm: Json | undefined, draft: Draft, at: At): JsonObject {
  if (typeof llm === 'string') return llm.trim() === '' ? {} : modelFields(llm.trim(), draft, at);
  if (!isObject(llm)) return {};
  const { provider, base_url, api_base, api_key, temperature, max_tokens, top_p } = llm;
  const model = textOf(llm, 'model');
  if (model === undefined) {
    draft.note(at, 'The model is left out: "llm" names none. Write an llm profile, and name it as llm_config_id.');
    return {};
  }
  const own = {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof top_p === 'number' && { top_p }),
    ...(typeof max_tokens === 'number' && { max_output_tokens: max_tokens }),
  };
  const address = [base_url, api_base].find((found) => typeof found === 'string');
  const prefix = typeof provider === 'string' ? provider : undefined;
  if (address === undefined && typeof api_key !== 'string')
    return { ...modelFields(prefix === undefined || model.includes('/') ? model : `${prefix}/${model}`, draft, at), ...own };
  const known =
    prefix === undefined
      ? undefined
      : (compatibleServer(prefix) ?? (providerOf(prefix) === undefined ? undefined : { provider: providerOf(prefix) as string }));
  const fields = {
    ...(known ?? (address === undefined ? modelFields(model, draft, at) : { provider: 'openai_compatible' })),
    model_name: model.slice(model.indexOf('/') + 1),
    ...(address !== undefined && {
      base_url: prefix === 'ollama' && !/\/v1\/?$/.test(address) ? `${address.replace(/\/$/, '')}/v1` : address,
    }),
    ...(typeof api_key === 'string' && keyFields(api_key)),
    ...own,
  };
  return {
    llm_config_id: profileOf(`${prefix ?? ''}_${model}`.replace(/^_/, ''), fields, draft, at, {
      api_key: `${at.pointer}/api_key`,
      base_url: `${at.pointer}/base_url`,
    }),
  };
}
