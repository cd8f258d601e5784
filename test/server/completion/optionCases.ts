import type { CompletionCase } from './case.js';

const path = 'config/llms/fresh.json';

const given = (name: string, provider: string | undefined, options: string, more: Partial<CompletionCase>): CompletionCase => {
  const wrap = (text: string) => `{ ${provider === undefined ? '' : `"provider": "${provider}", `}"options": ${text} }`;
  return { name, path, text: wrap(options), ...more, ...(more.after !== undefined && { after: wrap(more.after) }) };
};

/** The options of llm profiles: those that the provider documents. */
export const optionCases: readonly CompletionCase[] = [
  given('of Anthropic', 'anthropic', '{ | }', {
    offers: ['cache_control', 'thinking', 'output_config', 'betas', 'tool_choice'],
    lacks: ['reasoning_effort', 'api', 'generationConfig', 'delay_ms_per_chunk'],
    take: 'betas',
    after: '{ "betas": [] }',
  }),
  given('how long Anthropic caches', 'anthropic', '{ "cache_control": { "type": "ephemeral", "ttl": "|" } }', {
    only: ['1h', '5m'],
    take: '1h',
    after: '{ "cache_control": { "type": "ephemeral", "ttl": "1h" } }',
  }),
  given('no cache of Anthropic', 'anthropic', '{ "cache_control": "|" }', {
    only: ['none'],
    take: 'none',
    after: '{ "cache_control": "none" }',
  }),
  given('a cache of Anthropic to begin', 'anthropic', '{ "cache_control": | }', { offers: ['none', '{ }'] }),
  given('the effort of Anthropic', 'anthropic', '{ "output_config": { "effort": "|" } }', { offers: ['low', 'max'] }),
  given('of OpenAI over Chat Completions, which nobody has to name', undefined, '{ | }', {
    offers: ['api', 'reasoning_effort', 'response_format', 'verbosity', 'prompt_cache_options', 'store'],
    lacks: ['reasoning', 'text', 'truncation', 'api_version', 'cache_control'],
  }),
  given('of OpenAI over the Responses API', 'openai', '{ "api": "responses", | }', {
    offers: ['reasoning', 'text', 'store', 'include', 'prompt_cache_options'],
    lacks: ['reasoning_effort', 'response_format', 'verbosity', 'api'],
  }),
  given('the APIs of OpenAI', 'openai', '{ "api": "|" }', { only: ['responses', 'chat_completions'] }),
  given('the effort of the Responses API', 'openai', '{ "api": "responses", "reasoning": { "effort": "|" } }', {
    offers: ['none', 'xhigh'],
  }),
  given('the cache of OpenAI', 'openai', '{ "prompt_cache_options": { | } }', { only: ['mode', 'ttl'] }),
  given('of Azure', 'azure_openai', '{ | }', { offers: ['api', 'api_version', 'reasoning_effort'] }),
  given('of other servers', 'openai_compatible', '{ | }', {
    offers: ['response_format', 'seed', 'reasoning_effort'],
    lacks: ['api', 'store', 'prompt_cache_options'],
  }),
  given('no response format for other servers', 'openai_compatible', '{ "response_format": "|" }', { only: ['none'] }),
  given('of Gemini', 'gemini', '{ | }', { only: ['generationConfig', 'safetySettings', 'cachedContent'] }),
  given('how much Gemini thinks', 'gemini', '{ "generationConfig": { "thinkingConfig": { "thinkingLevel": "|" } } }', {
    only: ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'],
  }),
  given('what Gemini blocks', 'gemini', '{ "safetySettings": [{ "threshold": "|" }] }', { offers: ['BLOCK_NONE', 'OFF'] }),
  given('of the offline provider', 'offline', '{ | }', { only: ['delay_ms_per_chunk'] }),
  given('none of a provider of the program', 'house', '{ | }', { only: [] }),
  given('none where a variable names the provider', '${PROVIDER}', '{ | }', { only: [] }),
  given('none of the models of VS Code', 'vscode', '{ | }', { only: [] }),
  {
    name: 'of the provider that the environment gives the profile',
    path,
    text: '{ "options": { | } }',
    files: { 'config/environments/dev.json': '{ "llms": { "fresh": { "provider": "gemini" } } }' },
    offers: ['generationConfig'],
    lacks: ['api'],
  },
  {
    name: 'of a profile in a system file, whose provider the profile names',
    path: 'config/system.json',
    text: '{ "llms": { "local": { "options": { | } } } }',
    offers: ['response_format'],
    lacks: ['api', 'store'],
  },
  {
    name: 'of a profile in a system file, whose provider is beside them',
    path: 'config/system.json',
    text: '{ "llms": { "fresh": { "provider": "anthropic", "options": { "cache_control": { | } } } } }',
    only: ['type', 'ttl'],
  },
];
