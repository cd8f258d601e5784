import { isObject, type Json } from '../json.js';

/** What a fragment may hold: fields of an agent, of an llm profile, or the built-in defaults. */
export type FragmentKind = 'default' | 'agent' | 'llm';

/** One field of an effective config and how it is layered. */
export interface Field {
  readonly fits: (value: Json) => boolean;
  /** Merged inside: its known parts, or `any` key. Everything else is replaced whole. */
  readonly parts?: { readonly [part: string]: (value: Json) => boolean } | 'any';
  /** A run cannot do without it: where every layer removed it, the built-in default holds again. */
  readonly always?: true;
}

/** Which fields a fragment of each kind contributes; fields not listed here are left out. */
export type FieldTable = { readonly [kind in FragmentKind]: ReadonlyMap<string, Field> };

const isText = (value: Json) => typeof value === 'string';
const isNumber = (value: Json) => typeof value === 'number' && Number.isFinite(value);
const isFlag = (value: Json) => typeof value === 'boolean';
const isTexts = (value: Json) => Array.isArray(value) && value.every(isText);
const isTextsByName = (value: Json) => isObject(value) && Object.values(value).every(isTexts);
const oneOf =
  (...allowed: readonly string[]) =>
  (value: Json) =>
    typeof value === 'string' && allowed.includes(value);

const text: Field = { fits: isText };
const number: Field = { fits: isNumber };
const texts: Field = { fits: isTexts };
const object: Field = { fits: isObject };

const ofBoth = {
  provider: text,
  model_name: text,
  temperature: number,
  top_p: number,
  max_output_tokens: number,
  retry_attempts: { fits: isNumber, always: true },
} satisfies Record<string, Field>;

const ofAgents: Record<string, Field> = {
  description: text,
  agent_type: { fits: oneOf('single_shot', 'react', 'orchestrating'), always: true },
  mode: { fits: oneOf('Chooser', 'Writer', 'Extractor') },
  persona_key: text,
  system_text: text,
  purpose_text: text,
  prompts: { fits: isObject, parts: { system_prompt: isText, system_prompt_version: isText, few_shot_examples: isFlag } },
  input_keys: texts,
  input_schema: object,
  output_schema: object,
  enums: { fits: isTextsByName },
  defaults: object,
  llm_config_id: text,
  ...ofBoth,
  client_ids: texts,
  enabled_tools: texts,
  exclude_components: texts,
  tool_protocol: { fits: oneOf('native', 'text'), always: true },
  max_iterations: { fits: isNumber, always: true },
  timeout_ms: { fits: isNumber, always: true },
  retry_invalid: { fits: isNumber },
  budget: { fits: isObject, parts: { max_cost: isNumber, max_time_ms: isNumber } },
  include_history: { fits: isFlag, always: true },
  tracing: { fits: isObject, parts: { enabled: isFlag, sample_rate: isNumber }, always: true },
  execution_plan: object,
};

const ofConnections: Record<string, Field> = {
  base_url: text,
  api_key: text,
  api_key_env: text,
  request_timeout_ms: { fits: isNumber, always: true },
  price: { fits: isObject, parts: { input: isNumber, output: isNumber, cached_input: isNumber, cache_write: isNumber } },
  options: { fits: isObject, parts: 'any' },
};

/** Fields of the effective agent. */
export const agentTable: FieldTable = {
  default: new Map(Object.entries(ofAgents)),
  agent: new Map(Object.entries(ofAgents)),
  llm: new Map(Object.entries({ ...ofBoth, default_system_prompt: text })),
};

/** Fields of the effective llm profile, but for its id and what it takes over from the agent. */
export const llmTable: FieldTable = {
  default: new Map(Object.entries(ofConnections)),
  agent: new Map(),
  llm: new Map(Object.entries(ofConnections)),
};

/** The order in which an effective agent lists its fields: that of CONFIG.md. */
export const agentFieldOrder: readonly string[] = [
  'agent_name',
  'version',
  'description',
  'agent_type',
  'mode',
  'persona_key',
  'system_text',
  'purpose_text',
  'prompts',
  'template',
  'few_shot_examples',
  'input_keys',
  'input_schema',
  'output_schema',
  'enums',
  'defaults',
  'llm_config_id',
  'provider',
  'model_name',
  'temperature',
  'top_p',
  'max_output_tokens',
  'default_system_prompt',
  'client_ids',
  'enabled_tools',
  'exclude_components',
  'tool_protocol',
  'max_iterations',
  'timeout_ms',
  'retry_attempts',
  'retry_invalid',
  'budget',
  'include_history',
  'tracing',
  'execution_plan',
];

export const llmFieldOrder: readonly string[] = [
  'llm_id',
  'provider',
  'base_url',
  'api_key',
  'api_key_env',
  'request_timeout_ms',
  'retry_attempts',
  'price',
  'options',
];
