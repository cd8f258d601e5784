import type { ProviderOptions } from '../provider.js';

export const anthropicOptions = {
  name: 'anthropic',
  source: 'Messages API of Anthropic',
  schema: {
    properties: {
      cache_control: {
        description: 'How the prompt is cached: with the marks that a run sets, or with `"none"` not at all.',
        type: ['object', 'string'],
        properties: {
          type: { description: 'The only kind there is.', const: 'ephemeral' },
          ttl: {
            description: 'How long a prompt is kept after its last use. Writing for an hour costs twice the input price.',
            enum: ['5m', '1h'],
            default: '5m',
          },
        },
        required: ['type'],
        anyOf: [{ const: 'none' }, { type: 'object' }],
      },
      thinking: {
        description: 'Whether the model thinks before it answers. Thoughts count towards the limit of the answer.',
        type: 'object',
        properties: {
          type: {
            description: '`adaptive` leaves it to the model; `enabled` needs `budget_tokens`, and newer models refuse it.',
            enum: ['adaptive', 'enabled', 'between_tools', 'disabled'],
          },
          budget_tokens: {
            description: 'Most tokens of thoughts, with the type `enabled`: at least 1024, and fewer than the limit of the answer.',
            type: 'integer',
            minimum: 1024,
            examples: [4096],
          },
          display: { description: 'Whether thoughts are returned as a summary, or only as a signature.', enum: ['summarized', 'omitted'] },
        },
        required: ['type'],
      },
      output_config: {
        description: 'Options of the answer. The output schema of the agent is sent in `format` beside them, unless one is given here.',
        type: 'object',
        properties: {
          effort: { description: 'How much work the model puts into the answer.', enum: ['low', 'medium', 'high', 'xhigh', 'max'] },
          format: { description: 'A format of the answer that takes the place of the output schema.', type: 'object' },
        },
      },
      betas: {
        description: 'Names of features in beta, sent in the header `anthropic-beta`.',
        type: 'array',
        items: { description: 'Name of a feature with its date.', type: 'string' },
      },
      tool_choice: {
        description: 'Whether the model has to call a tool, and which. Without it, the model decides.',
        type: 'object',
        properties: {
          type: { description: '`any`: one of the tools. `tool`: the one with `name`.', enum: ['auto', 'any', 'tool', 'none'] },
          name: { description: 'The tool to call, with the type `tool`.', type: 'string' },
          disable_parallel_tool_use: {
            description: 'Whether the model calls at most one tool at a time.',
            type: 'boolean',
            default: false,
          },
        },
        required: ['type'],
      },
      metadata: {
        description: 'Facts about the request.',
        type: 'object',
        properties: { user_id: { description: 'An opaque identifier of the end user, with which abuse is detected.', type: 'string' } },
      },
      service_tier: { description: 'Whether priority capacity may be used.', enum: ['auto', 'standard_only'], default: 'auto' },
    },
  },
} satisfies ProviderOptions;
