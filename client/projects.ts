import { basename, join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { findProject } from '../core/node/findProject.js';

/** The files that make a project without agentstack.json, as globs. */
export const projectFiles: readonly string[] = [
  'config/agents/*/*.json',
  'config/prompts/*/*.json',
  'config/llms/*.json',
  'config/personas/*.json',
  'config/orchestrations/*.json',
];

/** Whether a path can be that of a config: a JSON file, or a prompt in Markdown. */
export function isConfigPath(path: string): boolean {
  return path.endsWith('.json') || /\/prompts\/[^/]+\/[^/]+\.md$/.test(`/${path}`);
}

/** A project of the workspace: a folder that `findProject` finds. */
export class ProjectFolder {
  /** Absolute path on the disk. */
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  get name(): string {
    return basename(this.root);
  }

  get uri(): vscode.Uri {
    return vscode.Uri.file(this.root);
  }

  /** The project path of a file (`config/agents/A2/v1.json`), or undefined when it is not below this folder. */
  pathOf(uri: vscode.Uri): string | undefined {
    if (uri.scheme !== 'file') return undefined;
    const path = relative(this.root, uri.fsPath);
    return path === '' || path.startsWith('..') || path.includes(`..${sep}`) ? undefined : path.split(sep).join('/');
  }

  uriOf(path: string): vscode.Uri {
    return vscode.Uri.file(join(this.root, ...path.split('/')));
  }
}

/** The projects of the workspace. Reads the disk on each call, and keeps only objects for the folders it found. */
export class Projects implements vscode.Disposable {
  private readonly folders = new Map<string, ProjectFolder>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly disposables: vscode.Disposable[] = [this.changed];
  private isWatching = false;

  /** The project a file belongs to; undefined for other files. */
  of(uri: vscode.Uri): ProjectFolder | undefined {
    if (uri.scheme !== 'file') return undefined;
    const root = findProject(join(uri.fsPath, '..'));
    return root === undefined ? undefined : this.at(root);
  }

  /** All projects of the workspace, by path. */
  async list(): Promise<readonly ProjectFolder[]> {
    const ignored = '**/{node_modules,bower_components,vendor,.*}/**';
    const [settings, configs] = await Promise.all([
      vscode.workspace.findFiles('**/agentstack.json', ignored),
      vscode.workspace.findFiles(`**/{${projectFiles.join(',')}}`, ignored),
    ]);
    const roots = new Set<string>();
    for (const uri of settings) roots.add(join(uri.fsPath, '..'));
    // Even with thousands of agents, few folders remain to be read.
    const folders = new Set(configs.map(({ fsPath }) => fsPath.slice(0, fsPath.lastIndexOf(`${sep}config${sep}`))));
    for (const folder of folders) roots.add(findProject(folder) ?? folder);
    return [...roots].sort().map((root) => this.at(root));
  }

  /** The project of the workspace at this absolute path; undefined for any other value. */
  async find(root: unknown): Promise<ProjectFolder | undefined> {
    return (await this.list()).find((folder) => folder.root === root);
  }

  /** A JSON file of a project was edited, saved, created, moved or deleted, in the editor or outside. Fires often: coalesce. */
  get onDidChange(): vscode.Event<vscode.Uri> {
    this.watch();
    return this.changed.event;
  }

  /** Marks every project as possibly changed, for changes that no watcher has reported. */
  async lookAgain(): Promise<void> {
    if (!this.isWatching) return;
    for (const { uri } of await this.list()) this.changed.fire(vscode.Uri.joinPath(uri, 'agentstack.json'));
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  private at(root: string): ProjectFolder {
    let folder = this.folders.get(root);
    if (folder === undefined) {
      folder = new ProjectFolder(root);
      this.folders.set(root, folder);
    }
    return folder;
  }

  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    const notify = (uri: vscode.Uri) => {
      if (this.of(uri) !== undefined) this.changed.fire(uri);
    };
    const watcher = vscode.workspace.createFileSystemWatcher('**/{*.json,prompts/*/*.md}');
    this.disposables.push(
      watcher,
      watcher.onDidCreate(notify),
      watcher.onDidChange(notify),
      watcher.onDidDelete(notify),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && isConfigPath(document.uri.path)) notify(document.uri);
      }),
    );
  }
}
