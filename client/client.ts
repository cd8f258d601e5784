import * as vscode from 'vscode';
import { LanguageServer, type WithServer } from './language/languageServer.js';
import { Projects } from './projects.js';
import type { Services } from './services.js';
import { GraphLoader, type WithGraphs } from './views/graph/graphLoader.js';
import { PreviewLoader, type WithPreviews } from './views/preview/previewLoader.js';
import { Runs, type WithRuns } from './views/run/runs.js';

/** All that commands and views are handed; each asks for the part it needs. */
export type Client = Services & WithServer & WithRuns & WithPreviews & WithGraphs;

export function createClient(extension: vscode.ExtensionContext): Client {
  const log = vscode.window.createOutputChannel('Agent Stack', { log: true });
  const services: Services = { extension, log, projects: new Projects() };
  const server = new LanguageServer(extension, log);
  const runs = new Runs(extension.workspaceState);
  const previews = new PreviewLoader(services);
  const graphs = new GraphLoader({ ...services, runs });
  extension.subscriptions.push(log, services.projects, server, runs, previews, graphs);
  return { ...services, server, runs, previews, graphs };
}
