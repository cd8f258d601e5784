import type * as vscode from 'vscode';
import type { Client } from '../client.js';
import { followDocuments } from '../language/documentLanguage.js';
import { agentsView } from './agents/agentsView.js';
import { hasProject } from './agents/hasProject.js';
import { registerEffective } from './effective/registerEffective.js';
import { registerGraph } from './graph/graphLoader.js';
import { registerPreview } from './preview/registerPreview.js';
import { restorePanels } from './run/restorePanels.js';
import { runLens } from './run/runLens.js';
import { resumeOffer } from './runs/resumeOffer.js';
import { runDocuments } from './runs/runDocuments.js';
import { runsView } from './runs/runsView.js';
import { languageStatus } from './status/languageStatus.js';
import { registerTasks } from './tasks/registerTasks.js';
import { registerTextDocuments } from './textDocuments/registerTextDocuments.js';
import { toolDocuments } from './tools/toolDocuments.js';

/** What registers a view, a provider or a status item. Registering reads no file; whatever is heavy is imported when it is first shown. */
export type View = (client: Client) => vscode.Disposable;

/** What VS Code may ask for as soon as the extension is there. One line here, one file beside it. */
export const views: readonly View[] = [
  agentsView,
  runsView,
  registerTextDocuments,
  registerTasks,
  registerPreview,
  registerEffective,
  registerGraph,
  restorePanels,
];

/** What nobody waits for: registered right after activation. */
export const laterViews: readonly View[] = [hasProject, languageStatus, followDocuments, runLens, runDocuments, resumeOffer, toolDocuments];
