import { identityFix } from './identityFix.js';
import type { QuickFix } from './quickFix.js';

export const nameMatchesPath: QuickFix = identityFix('name-matches-path');
