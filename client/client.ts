import * as vscode from 'vscode';
import { LanguageServer } from './language/languageServer.js';
import { Projects } from './projects.js';

/** What everything in the extension shares. Made once, in `activate`; holds no text of any file. */
export interface Client {
  readonly extension: vscode.ExtensionContext;
  /** The output channel "Agent Stack". No prompt, no answer, no key is ever written to it. */
  readonly log: vscode.LogOutputChannel;
  readonly projects: Projects;
  readonly server: LanguageServer;
}

export function createClient(extension: vscode.ExtensionContext): Client {
  const log = vscode.window.createOutputChannel('Agent Stack', { log: true });
  const projects = new Projects();
  const server = new LanguageServer(extension, log);
  extension.subscriptions.push(log, projects, server);
  return { extension, log, projects, server };
}
