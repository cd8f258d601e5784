import { azureOpenai, openai, openaiCompatible } from './chatWire.js';
import { gemini } from './geminiWire.js';
import { anthropic } from './messagesWire.js';
import { azureResponses, openaiResponses } from './responsesWire.js';
import type { WireProvider } from './wire.js';

/** Every provider that speaks over HTTP, in each of its wire formats. */
export const wireProviders: readonly WireProvider[] = [
  openai,
  openaiResponses,
  openaiCompatible,
  azureOpenai,
  azureResponses,
  anthropic,
  gemini,
];
