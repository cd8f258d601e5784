import type { JsonObject } from '../../../json.js';
import type { ProviderOptions } from '../provider.js';

const effort = {
  description: 'How long a reasoning model thinks. Not every model takes every value.',
  enum: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
};
const verbosity = { description: 'How long the answer is.', enum: ['low', 'medium', 'high'], default: 'medium' };

/** Options of Chat Completions that other servers take as well. */
export const chatOptions = {
  response_format: {
    description:
      'A response format that takes the place of the output schema. `"none"` sends none; with `openai_compatible` the schema is then in the prompt.',
    type: ['object', 'string'],
    anyOf: [{ const: 'none' }, { type: 'object' }],
  },
  reasoning_effort: effort,
  seed: {
    description: 'Requests with the same seed tend to get the same answer, where the model supports it.',
    type: 'integer',
    examples: [7],
  },
  tool_choice: {
    description: 'Whether the model has to call a tool, and which. Without it, the model decides.',
    type: ['string', 'object'],
    anyOf: [{ enum: ['auto', 'required', 'none'] }, { type: 'object' }],
  },
  parallel_tool_calls: { description: 'Whether the model may call several tools at once.', type: 'boolean', default: true },
  frequency_penalty: {
    description: 'Above 0, tokens become less likely the more often they occurred, from -2 to 2.',
    type: 'number',
    minimum: -2,
    maximum: 2,
    default: 0,
  },
  presence_penalty: {
    description: 'Above 0, tokens that have occurred become less likely, from -2 to 2.',
    type: 'number',
    minimum: -2,
    maximum: 2,
    default: 0,
  },
  logit_bias: { description: 'Changes the likelihood of tokens, by their id, from -100 to 100.', type: 'object' },
} satisfies JsonObject;

/** What either API takes. */
const ofBoth = {
  prompt_cache_options: {
    description: 'How prompts are cached, from GPT-5.6 on.',
    type: 'object',
    properties: {
      mode: {
        description: '`explicit` caches only what a request marks; runs mark nothing, so it turns caching off.',
        enum: ['implicit', 'explicit'],
        default: 'implicit',
      },
      ttl: { description: 'How long a prompt is kept at least.', enum: ['30m', '12h'], default: '30m' },
    },
  },
  prompt_cache_retention: { description: 'How long a prompt is kept, up to GPT-5.5.', enum: ['in_memory', '24h'] },
  prompt_cache_key: {
    description: 'Takes the place of the key that a run sends: requests with the same key reach the same cache.',
    type: 'string',
  },
  service_tier: {
    description: 'How the request is processed and billed.',
    enum: ['auto', 'default', 'flex', 'scale', 'priority', 'fast'],
    default: 'auto',
  },
  safety_identifier: { description: 'A stable, opaque identifier of the end user, with which abuse is detected.', type: 'string' },
  metadata: { description: 'Up to 16 texts that are kept with a stored answer.', type: 'object' },
  tool_choice: chatOptions.tool_choice,
  parallel_tool_calls: chatOptions.parallel_tool_calls,
} satisfies JsonObject;

const {
  tool_choice: _choice,
  parallel_tool_calls: _parallel,
  ...ofChat
} = {
  ...chatOptions,
  verbosity,
  store: { description: 'Whether OpenAI keeps the answer.', type: 'boolean', default: false },
};

const ofResponses = {
  reasoning: {
    description: 'How a reasoning model thinks, in the Responses API.',
    type: 'object',
    properties: {
      effort,
      summary: { description: 'Asks for a summary of the thoughts, which is streamed as thoughts.', enum: ['auto', 'concise', 'detailed'] },
    },
  },
  text: {
    description:
      'Options of the text, in the Responses API. The output schema of the agent is sent in `format` beside them, unless one is given here.',
    type: 'object',
    properties: { verbosity, format: { description: 'A format of the answer that takes the place of the output schema.', type: 'object' } },
  },
  store: {
    description: 'Whether OpenAI keeps the answer. Runs do not need it: encrypted thoughts are sent back with each request.',
    type: 'boolean',
    default: false,
  },
  include: {
    description: 'Further parts of the answer, in the Responses API. Encrypted thoughts are always included.',
    type: 'array',
    items: { description: 'A part of the answer.', type: 'string' },
  },
  truncation: {
    description: 'Whether a conversation that is too long loses its middle instead of being refused.',
    enum: ['auto', 'disabled'],
    default: 'disabled',
  },
} satisfies JsonObject;

export const openaiOptions = {
  name: 'openai',
  source: 'Chat Completions and Responses API of OpenAI',
  schema: {
    properties: {
      api: {
        description: 'The API that is called. It is not sent. The two take different options.',
        enum: ['chat_completions', 'responses'],
        default: 'chat_completions',
      },
      ...ofBoth,
    },
    if: { properties: { api: { const: 'responses' } }, required: ['api'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { ...refused(ofChat), ...ofResponses } },
    else: { properties: { ...refused(ofResponses), ...ofChat } },
  },
} satisfies ProviderOptions;

function refused(options: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(options).map((name) => [name, false]));
}
