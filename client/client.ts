import * as vscode from 'vscode';
import { LanguageServer, type WithServer } from './language/languageServer.js';
import { Chats, type WithChats } from './panels/chat/chats.js';
import { GraphLoader, type WithGraphs } from './panels/graph/graphLoader.js';
import { PreviewLoader, type WithPreviews } from './panels/preview/previewLoader.js';
import { Runs, type WithRuns } from './panels/run/runs.js';
import { coverChannel, coverMemory } from './ports/editorCover.js';
import { keyLearner } from './ports/keyLearner.js';
import { createModuleTools } from './ports/moduleTools.js';
import { WindowCover } from './ports/windowCover.js';
import { Projects } from './projects.js';
import type { Services } from './services.js';
import type { WithTests } from './views/tests/tests.js';

/** All that commands and views are handed; each asks for the part it needs. */
export type Client = Services & WithServer & WithRuns & WithPreviews & WithGraphs & WithChats & WithTests;

export function createClient(extension: vscode.ExtensionContext): Client {
  const cover = new WindowCover();
  const log = coverChannel(vscode.window.createOutputChannel('Agent Stack', { log: true }), cover);
  const projects = new Projects();
  const memory = coverMemory(extension.workspaceState, cover, keyLearner({ extension, projects, cover }));
  const services: Services = { extension, log, projects, cover, memory, loadTools: createModuleTools() };
  const server = new LanguageServer(extension, log);
  const runs = new Runs(memory);
  const previews = new PreviewLoader(services);
  const graphs = new GraphLoader({ ...services, runs });
  extension.subscriptions.push(log, services.projects, server, runs, previews, graphs);
  return { ...services, server, runs, previews, graphs, chats: new Chats(), tests: {} };
}
