import type { QuickFix } from './quickFix.js';
import { referenceFix } from './referenceFix.js';

export const unknownAgentVersion: QuickFix = referenceFix('unknown-agent-version', 'agent');
