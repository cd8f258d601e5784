import { identityFix } from './identityFix.js';
import type { QuickFix } from './quickFix.js';

export const versionMatchesPath: QuickFix = identityFix('version-matches-path');
