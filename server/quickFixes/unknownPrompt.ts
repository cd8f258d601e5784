import type { QuickFix } from './quickFix.js';
import { referenceFix } from './referenceFix.js';

export const unknownPrompt: QuickFix = referenceFix('unknown-prompt', 'prompt');
