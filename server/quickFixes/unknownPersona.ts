import type { QuickFix } from './quickFix.js';
import { referenceFix } from './referenceFix.js';

export const unknownPersona: QuickFix = referenceFix('unknown-persona', 'persona');
