import type { ProviderOptions } from '../provider.js';

export const offlineOptions = {
  name: 'offline',
  source: 'the offline provider',
  schema: {
    properties: {
      delay_ms_per_chunk: {
        description: 'Slows a stream down: milliseconds before each piece of text.',
        type: 'integer',
        minimum: 0,
        default: 0,
        examples: [40],
      },
    },
  },
} satisfies ProviderOptions;
