import type * as vscode from 'vscode';
import type { Projects } from './projects.js';

/** What most commands and views need of the extension. Made once, in `activate`; holds no text of any file. */
export interface Services {
  readonly extension: vscode.ExtensionContext;
  /** The output channel "Agent Stack". No prompt, no answer, no key is ever written to it. */
  readonly log: vscode.LogOutputChannel;
  readonly projects: Projects;
}

/** Which files a project is seen with. */
export type ProjectText =
  /** What is in the editors, saved or not, over the disk: for what is shown while the user types. */
  | 'editors'
  /** What is on the disk: for what runs. */
  | 'disk';
