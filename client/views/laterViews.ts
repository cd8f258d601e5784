import { followDocuments } from '../language/documentLanguage.js';
import { hasProject } from './agents/hasProject.js';
import { runLens } from './run/runLens.js';
import { resumeOffer } from './runs/resumeOffer.js';
import { runDocuments } from './runs/runDocuments.js';
import { languageStatus } from './status/languageStatus.js';
import { toolDocuments } from './tools/toolDocuments.js';
import type { View } from './view.js';

/** Views that can wait: loaded and registered right after activation. One line here, one file beside it. */
export const laterViews: readonly View[] = [hasProject, languageStatus, followDocuments, runLens, runDocuments, resumeOffer, toolDocuments];
