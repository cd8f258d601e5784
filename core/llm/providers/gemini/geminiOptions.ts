import type { ProviderOptions } from '../provider.js';

const setting = {
  description: 'What one category blocks.',
  type: 'object',
  properties: {
    category: {
      description: 'The kind of harm.',
      enum: ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT', 'CIVIC_INTEGRITY'].map(
        (name) => `HARM_CATEGORY_${name}`,
      ),
    },
    threshold: {
      description: 'From which likelihood on an answer is blocked.',
      enum: ['BLOCK_LOW_AND_ABOVE', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_ONLY_HIGH', 'BLOCK_NONE', 'OFF'],
    },
  },
  required: ['category', 'threshold'],
};

export const geminiOptions = {
  name: 'gemini',
  source: 'Gemini API of Google',
  schema: {
    properties: {
      generationConfig: {
        description: 'Options of the answer. Temperature, limits and the schema of the agent are sent beside them.',
        type: 'object',
        properties: {
          thinkingConfig: {
            description: 'How the model thinks.',
            type: 'object',
            properties: {
              thinkingLevel: { description: 'How much the model thinks, from Gemini 3 on.', enum: ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'] },
              thinkingBudget: {
                description: 'Most tokens of thoughts, for Gemini 2.5: 0 turns them off, -1 leaves it to the model.',
                type: 'integer',
                minimum: -1,
                examples: [0, -1, 1024],
              },
              includeThoughts: { description: 'Whether summaries of the thoughts are returned.', type: 'boolean', default: false },
            },
          },
          topK: {
            description: 'Only the most likely tokens are sampled from, as many as this.',
            type: 'integer',
            minimum: 1,
            examples: [40],
          },
          seed: { description: 'Requests with the same seed tend to get the same answer.', type: 'integer', examples: [7] },
          presencePenalty: { description: 'Above 0, tokens that have occurred become less likely.', type: 'number', default: 0 },
          frequencyPenalty: { description: 'Above 0, tokens become less likely the more often they occurred.', type: 'number', default: 0 },
        },
      },
      safetySettings: { description: 'What Google blocks, by category.', type: 'array', items: setting },
      cachedContent: {
        description: 'Name of an explicit cache, `cachedContents/...`, whose content comes before the prompt.',
        type: 'string',
      },
    },
  },
} satisfies ProviderOptions;
