import { createNextVersion } from './createNextVersion.js';
import { deriveEnums } from './deriveEnums.js';
import { extractLlm } from './extractLlm.js';
import { extractPersona } from './extractPersona.js';
import { extractPrompt } from './extractPrompt.js';
import { inlinePersona } from './inlinePersona.js';
import type { Refactoring } from './refactoring.js';
import { strictSchema } from './strictSchema.js';

/** Every refactoring there is. A new one is one new file and one line here. */
export const refactorings: readonly Refactoring[] = [
  extractPersona,
  extractLlm,
  extractPrompt,
  inlinePersona,
  deriveEnums,
  strictSchema,
  createNextVersion,
];
