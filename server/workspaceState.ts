import type { TextDocument } from 'vscode-languageserver-textdocument';
import { identifyFile, settingsPath } from '../core/config/paths.js';
import { defaultSettings as defaultProjectSettings } from '../core/config/readSettings.js';
import { ConfigDocument, diskDocument } from './configDocument.js';
import { findProjects } from './findProjects.js';
import type { ServiceHost } from './host.js';
import { ProjectState } from './projectState.js';
import { defaultSettings, type Settings } from './settings.js';
import type { Project, Workspace } from './workspace.js';

/** Files of one project whose findings may have changed. */
export interface Affected {
  readonly project: ProjectState;
  readonly paths: ReadonlySet<string> | 'all';
}

/** An open document and where it belongs. */
interface OpenDocument {
  readonly document: ConfigDocument;
  readonly file: string | undefined;
  readonly project: ProjectState | undefined;
}

/** Everything the server knows: open documents, projects, and the searches and loads that are under way. */
export class WorkspaceState implements Workspace {
  readonly host: ServiceHost;
  private readonly onAffected: (affected: Affected) => void;
  private readonly onError: (error: unknown) => void;
  private readonly byUri = new Map<string, OpenDocument>();
  private readonly byRoot = new Map<string, { readonly state: ProjectState; readonly open: Map<string, ConfigDocument> }>();
  /** The root of the project that a folder belongs to. Cleared when files are added or removed. */
  private readonly roots = new Map<string, string | undefined>();
  private readonly loads = new Set<Promise<void>>();
  private isStarted = false;
  folders: readonly string[] = [];
  settings: Settings = defaultSettings;

  constructor(host: ServiceHost, on: { readonly affected: (affected: Affected) => void; readonly error: (error: unknown) => void }) {
    this.host = host;
    this.onAffected = on.affected;
    this.onError = on.error;
  }

  get projects(): readonly ProjectState[] {
    return [...this.byRoot.keys()].sort().map((root) => this.byRoot.get(root)!.state);
  }

  get openDocuments(): Iterable<ConfigDocument> {
    return [...this.byUri.values()].map(({ document }) => document);
  }

  document(uri: string): ConfigDocument | undefined {
    const open = this.byUri.get(uri);
    if (open !== undefined) return open.document;
    const file = this.host.toPath(uri);
    if (file === undefined) return undefined;
    const project = this.projectAt(file);
    // Another spelling of the URI of an open document leads here too.
    if (project !== undefined) return project.documentAt(projectPath(project, file));
    const text = this.host.readText(file);
    return text === undefined ? undefined : diskDocument(uri, text);
  }

  projectOf(uri: string): ProjectState | undefined {
    const open = this.byUri.get(uri);
    if (open !== undefined) return open.project;
    const file = this.host.toPath(uri);
    return file === undefined ? undefined : this.projectAt(file);
  }

  /** Resolves when the files have been read that an answer about a document depends on; undefined when they have been. */
  known(uri: string): Promise<void> | undefined {
    const open = this.byUri.get(uri);
    const file = open === undefined ? this.host.toPath(uri) : open.file;
    const project = open === undefined && file !== undefined ? this.projectAt(file) : open?.project;
    return project === undefined || file === undefined ? undefined : project.known(projectPath(project, file));
  }

  isOpen(project: Project, path: string): boolean {
    return this.byRoot.get(project.root)?.open.has(path) ?? false;
  }

  async ready(signal?: AbortSignal): Promise<void> {
    // An unsaved agentstack.json may name another folder, which is read first.
    this.settle();
    while (this.loads.size > 0) {
      await Promise.race([Promise.all(this.loads), ...(signal === undefined ? [] : [aborted(signal)])]);
      signal?.throwIfAborted();
    }
  }

  /** A document is open in the editor with this text from now on. */
  setText(textDocument: TextDocument): void {
    const open = this.byUri.get(textDocument.uri);
    if (open === undefined) {
      this.roots.clear();
      this.put(textDocument);
      return;
    }
    const { path, identity } = open.document;
    this.take({ ...open, document: new ConfigDocument({ textDocument, isOpen: true, path, identity }) });
  }

  close(uri: string): void {
    const open = this.byUri.get(uri);
    if (open === undefined) return;
    this.byUri.delete(uri);
    const { project, document } = open;
    if (project === undefined || document.path === undefined) return;
    this.byRoot.get(project.root)?.open.delete(document.path);
    project.base.forget(document.path);
    project.touch(document.path);
  }

  /** Files have been added, removed or changed outside the editor. Open documents stay as they are. */
  changedOnDisk(uris: readonly string[], { names }: { readonly names: boolean }): void {
    const mayMove = names && uris.some(decidesOnProjects);
    if (mayMove) this.roots.clear();
    for (const uri of uris) {
      const file = this.host.toPath(uri);
      if (file === undefined) continue;
      const project = this.projectAt(file);
      // Without the file, its folder may no longer be a project.
      for (const around of project === undefined ? this.projects.filter(({ root }) => isInside(root, file)) : [project]) {
        const path = projectPath(around, file);
        // Of a removed folder, only its own name is reported.
        for (const changed of names ? [path, ...around.filesBelow(path)] : [path]) if (!this.isOpen(around, changed)) around.touch(changed);
      }
    }
    if (mayMove) this.placeAgain();
  }

  /** Brings the index of every project up to date and reports the affected files. */
  settle(): void {
    for (const { state } of this.byRoot.values()) state.settle();
  }

  setFolders(folders: readonly string[]): void {
    const added = folders.filter((folder) => !this.folders.includes(folder));
    this.folders = folders;
    for (const [root, { state, open }] of this.byRoot) {
      if (open.size > 0 || folders.some((folder) => isInside(folder, root) || isInside(root, folder))) continue;
      this.byRoot.delete(root);
      state.base.close();
    }
    if (this.isStarted) for (const folder of added) this.discover(folder);
  }

  setSettings(settings: Settings): void {
    const isSame = JSON.stringify(settings.rules) === JSON.stringify(this.settings.rules);
    this.settings = settings;
    if (!isSame) for (const project of this.projects) project.setSeverities(settings.rules);
  }

  /** Begins to look for projects in the workspace folders, in the background. */
  start(): void {
    this.isStarted = true;
    for (const { state } of this.byRoot.values()) this.load(state);
    for (const folder of this.folders) this.discover(folder);
  }

  private put(textDocument: TextDocument): void {
    const file = this.host.toPath(textDocument.uri);
    const project = file === undefined ? undefined : this.projectAt(file);
    const path = project === undefined || file === undefined ? undefined : projectPath(project, file);
    const identity = path === undefined ? undefined : project?.identityOf(path);
    this.take({ document: new ConfigDocument({ textDocument, isOpen: true, path, identity }), file, project });
  }

  private take(open: OpenDocument): void {
    const { document, project } = open;
    this.byUri.set(document.uri, open);
    if (project === undefined || document.path === undefined) return;
    this.byRoot.get(project.root)?.open.set(document.path, document);
    project.touch(document.path);
  }

  /** Finds the project of open documents again, after files have been added or removed. */
  private placeAgain(): void {
    for (const [uri, { document, file, project }] of [...this.byUri]) {
      if (file === undefined || this.projectAt(file) === project) continue;
      this.close(uri);
      this.put(document.textDocument);
    }
  }

  private projectAt(file: string): ProjectState | undefined {
    const root = this.rootOf(file);
    return root === undefined ? undefined : this.projectIn(root);
  }

  private rootOf(file: string): string | undefined {
    const folder = file.slice(0, file.lastIndexOf('/')) || '/';
    if (!this.roots.has(folder)) this.roots.set(folder, this.host.findProject(folder) ?? futureRoot(file));
    return this.roots.get(folder);
  }

  private projectIn(root: string): ProjectState {
    const known = this.byRoot.get(root);
    if (known !== undefined) return known.state;
    const open = new Map<string, ConfigDocument>();
    const state = new ProjectState({
      root,
      host: this.host,
      severities: this.settings.rules,
      openDocuments: open,
      onAffected: (project, paths) => this.onAffected({ project, paths }),
      onError: this.onError,
      onReload: (project) => this.load(project),
      onKinds: () => this.identifyAgain(open),
    });
    this.byRoot.set(root, { state, open });
    if (this.isStarted) this.load(state);
    return state;
  }

  /** The config folder is another one, so open documents are of other kinds. */
  private identifyAgain(open: ReadonlyMap<string, ConfigDocument>): void {
    for (const { textDocument, path } of [...open.values()]) {
      if (path !== settingsPath) this.put(textDocument);
    }
  }

  private load(project: ProjectState): void {
    this.track(project.load());
  }

  private discover(folder: string): void {
    const around = this.host.findProject(folder);
    if (around !== undefined) this.projectIn(around);
    this.track(
      (async () => {
        // Open documents come first.
        await this.host.nextTurn();
        for await (const root of findProjects(folder, this.host)) {
          if (root !== undefined) this.projectIn(root);
          await this.host.nextTurn();
        }
      })(),
    );
  }

  private track(work: Promise<void>): void {
    const tracked = work.catch(this.onError).finally(() => this.loads.delete(tracked));
    this.loads.add(tracked);
  }
}

function projectPath({ root }: Pick<Project, 'root'>, file: string): string {
  return root.endsWith('/') ? file.slice(root.length) : file.slice(root.length + 1);
}

/** Whether adding or removing a file may make a folder a project or none. Anything but a JSON file may be a folder. */
function decidesOnProjects(uri: string): boolean {
  return !uri.endsWith('.json') || uri.endsWith('/agentstack.json') || uri.includes('/agents/');
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The root of the project whose first file will be a document that is not saved yet. */
function futureRoot(file: string): string | undefined {
  const at = file.lastIndexOf('/config/');
  if (at < 0) return undefined;
  const identity = identifyFile(file.slice(at + 1), defaultProjectSettings);
  return identity === undefined ? undefined : file.slice(0, at) || '/';
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
