import { a2aCard } from './a2aCard.js';
import { a2rchi } from './a2rchi.js';
import { aurite } from './aurite.js';
import { c4h } from './c4h.js';
import { claudeCode } from './claudeCode.js';
import { crewai } from './crewai.js';
import type { Importer } from './importer.js';
import { kiro } from './kiro.js';
import { noema } from './noema.js';
import { opencode } from './opencode.js';

/** Every tool whose agents can be imported: one line here, one file beside it. */
export const importers: readonly Importer[] = [kiro, claudeCode, opencode, crewai, a2aCard, aurite, noema, a2rchi, c4h];
