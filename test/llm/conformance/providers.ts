import { azureOpenai, openai, openaiCompatible } from './chatWire.js';
import { gemini } from './geminiWire.js';
import { anthropic } from './messagesWire.js';
import type { WireProvider } from './wire.js';

/** Every provider that speaks over HTTP, one line each. */
export const wireProviders: readonly WireProvider[] = [openai, openaiCompatible, azureOpenai, anthropic, gemini];
