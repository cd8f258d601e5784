import { anthropic } from './anthropic/anthropic.js';
import { azureOpenai } from './azureOpenai/azureOpenai.js';
import { gemini } from './gemini/gemini.js';
import { offline } from './offline/offline.js';
import { openai } from './openai/openai.js';
import { openaiCompatible } from './openaiCompatible/openaiCompatible.js';
import type { LlmProvider } from './provider.js';

/** The built-in providers: one line and one folder each. */
export const providers: readonly LlmProvider[] = [openai, openaiCompatible, azureOpenai, anthropic, gemini, offline];
