import { promptDocuments } from '../panels/preview/previewLoader.js';
import { restorePanels } from '../panels/restorePanels.js';
import { agentsView } from './agents/agentsView.js';
import { registerDebug } from './debug/registerDebug.js';
import { registerEffective } from './effective/registerEffective.js';
import { runsView } from './runs/runsView.js';
import { registerTasks } from './tasks/registerTasks.js';
import { registerTextDocuments } from './textDocuments/registerTextDocuments.js';
import type { View } from './view.js';

/** Views that VS Code may ask for right after activation; the others are in laterViews.ts. One line here, one file beside it. */
export const views: readonly View[] = [
  agentsView,
  runsView,
  registerTextDocuments,
  registerTasks,
  registerDebug,
  promptDocuments,
  registerEffective,
  restorePanels,
];
