import type { QuickFix } from './quickFix.js';
import { referenceFix } from './referenceFix.js';

export const unknownLlm: QuickFix = referenceFix('unknown-llm', 'llm');
