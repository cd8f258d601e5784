import { isObject } from '../../json.js';
import { quoted } from '../../words.js';
import type { At, Draft } from '../types.js';
import { keyFields, textField, within } from '../values.js';
import { type Component, keptOfComponents, nameOf } from './components.js';

/** Our provider for each type; empty where the component names it, undefined where no provider here reaches its models. */
const providers: ReadonlyMap<string, string | undefined> = new Map([
  ['GeminiConfig', 'gemini'],
  ['LlmConfig', ''],
  ['OciGenAiConfig', undefined],
  ['OllamaConfig', 'ollama'],
  ['OpenAiCompatibleConfig', 'openai_compatible'],
  ['OpenAiConfig', 'openai'],
  ['VllmConfig', 'openai_compatible'],
]);

/** A key is left out of a file by a reference to the component's own field. */
const keyAdvice = { api_key: 'The file leaves the key out: give "api_key" or "api_key_env" in the profile.' };

export function isLlmConfig({ type }: Component): boolean {
  return providers.has(type);
}

/** A model becomes a profile. @returns its id; undefined where no provider here reaches the model */
export function readLlmConfig(component: Component, at: At, draft: Draft): string | undefined {
  const { type, value } = component;
  const named = providers.get(type);
  const provider = named === '' ? (textField(value, 'provider') ?? textField(value, 'api_provider')) : named;
  const connection = provider === undefined ? undefined : draft.models.connection(provider);
  const model_name = textField(value, 'model_id');
  if (connection === undefined || model_name === undefined) {
    draft.note(at, `${type} ${quoted(nameOf(component))} is left out: no provider here reaches it. Write an llm profile.`);
    return undefined;
  }
  const parameters = value.default_generation_parameters;
  const url = textField(value, 'url');
  const key = textField(value, 'api_key');
  const isResponses = type === 'OpenAiConfig' && value.api_type === 'responses';
  const kept = [...keptOfComponents, 'model_id', 'url', 'default_generation_parameters', 'provider', 'api_provider', 'api_key'];
  if (isResponses || value.api_type === 'chat_completions') kept.push('api_type');
  draft.noteLost(value, at, { kept: new Set(kept), ...(key === undefined && { advice: keyAdvice }) });
  const fields = isObject(parameters) ? draft.fields(parameters, 'llm', within(at, 'default_generation_parameters')).fields : {};
  return draft.profile(
    nameOf(component),
    {
      ...connection,
      model_name,
      ...(url !== undefined && { base_url: addressOf(type, url, draft) }),
      ...(key !== undefined && keyFields(key)),
      ...fields,
      ...(isResponses && { options: { ...(isObject(fields.options) && fields.options), api: 'responses' } }),
    },
    at,
    { api_key: `${at.pointer}/api_key`, base_url: `${at.pointer}/url`, model_name: `${at.pointer}/model_id` },
  );
}

/** Of a server that speaks to clients of OpenAI, Agent Spec names the host, and what runs it adds the scheme and the path. */
function addressOf(type: string, url: string, draft: Draft): string {
  if (!['OllamaConfig', 'OpenAiCompatibleConfig', 'VllmConfig'].includes(type)) return url;
  return draft.models.address('ollama', /^[a-z]+:\/\//i.test(url) ? url : `http://${url}`);
}
