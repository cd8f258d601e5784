import * as vscode from 'vscode';
import { LanguageServer } from './language/languageServer.js';
import { Projects } from './projects.js';
import { GraphLoader } from './views/graph/graphLoader.js';
import { PreviewLoader } from './views/preview/previewLoader.js';
import { Runs } from './views/run/runs.js';

/** What everything in the extension shares. Made once, in `activate`; holds no text of any file. */
export interface Client {
  readonly extension: vscode.ExtensionContext;
  /** The output channel "Agent Stack". No prompt, no answer, no key is ever written to it. */
  readonly log: vscode.LogOutputChannel;
  readonly projects: Projects;
  readonly server: LanguageServer;
  readonly runs: Runs;
  readonly previews: PreviewLoader;
  readonly graphs: GraphLoader;
}

export function createClient(extension: vscode.ExtensionContext): Client {
  const log = vscode.window.createOutputChannel('Agent Stack', { log: true });
  const projects = new Projects();
  const server = new LanguageServer(extension, log);
  const runs = new Runs(extension.workspaceState);
  const previews = new PreviewLoader();
  const graphs = new GraphLoader();
  extension.subscriptions.push(log, projects, server, runs, previews, graphs);
  return { extension, log, projects, server, runs, previews, graphs };
}
