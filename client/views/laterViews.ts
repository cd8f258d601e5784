import { followDocuments } from '../language/documentLanguage.js';
import { removeEmptyFolders } from '../language/emptyFolders.js';
import { lookAgain } from '../language/lookAgain.js';
import { evalDocuments } from '../panels/evals/evalDocuments.js';
import { hasProject } from './agents/hasProject.js';
import { commitDocuments } from './behaviour/commitDocuments.js';
import { fixedFinding } from './fixedFinding.js';
import { movedPrompts } from './prompts/movedPrompts.js';
import { runLens } from './run/runLens.js';
import { resumeOffer } from './runs/resumeOffer.js';
import { runDocuments } from './runs/runDocuments.js';
import { sampleWelcome } from './sampleWelcome.js';
import { languageModelTools } from './served/languageModelTools.js';
import { mcpServers } from './served/mcpServers.js';
import { languageStatus } from './status/languageStatus.js';
import { projectStatus } from './status/projectStatus.js';
import { evalLens } from './tests/evalLens.js';
import { testsView } from './tests/testsView.js';
import { registerTextFeatures } from './textDocuments/registerTextFeatures.js';
import { toolDocuments } from './tools/toolDocuments.js';
import type { View } from './view.js';

/** Views that can wait: loaded and registered right after activation. One line here, one file beside it. */
export const laterViews: readonly View[] = [
  hasProject,
  languageStatus,
  projectStatus,
  registerTextFeatures,
  followDocuments,
  removeEmptyFolders,
  lookAgain,
  runLens,
  runDocuments,
  resumeOffer,
  toolDocuments,
  testsView,
  evalLens,
  evalDocuments,
  commitDocuments,
  movedPrompts,
  fixedFinding,
  sampleWelcome,
  languageModelTools,
  mcpServers,
];
