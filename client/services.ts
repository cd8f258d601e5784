import type * as vscode from 'vscode';
import type { LoadTools } from '../core/node/ownTools/importTools.js';
import type { WindowCover } from './ports/windowCover.js';
import type { Projects } from './projects.js';

/** What most commands and views need from the extension. Made once, in `activate`; contains no text of any file. */
export interface Services {
  readonly extension: vscode.ExtensionContext;
  /** The output channel "Agent Stack". No prompt, no answer, no key is ever written to it. */
  readonly log: vscode.LogOutputChannel;
  readonly projects: Projects;
  /** Loads the module of tools that a project names, in a separate process. */
  readonly loadTools: LoadTools;
  /** For what leaves the extension: pages, notifications. The log and the memory are covered already. */
  readonly cover: WindowCover;
  /** What is stored with the workspace, without secrets. */
  readonly memory: vscode.Memento;
}

/** Which files a project is seen with. */
export type ProjectText =
  /** What is in the editors, saved or not, over the disk: for what is shown while the user types. */
  | 'editors'
  /** What is on the disk: for what runs. */
  | 'disk';
