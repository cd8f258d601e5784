import type { QuickFix } from './quickFix.js';
import { referenceFix } from './referenceFix.js';

export const unknownAgent: QuickFix = referenceFix('unknown-agent', 'agent');
