import { collectReferences } from '../../config/references.js';
import { forLastFile } from './forLastFile.js';

/** What a file refers to. Several rules ask, so the answer about the last file is kept. */
export const referencesOf = forLastFile((file) => collectReferences(file));
