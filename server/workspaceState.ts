import type { TextDocument } from 'vscode-languageserver-textdocument';
import { identifyFile, settingsPath } from '../core/config/paths.js';
import { projectFolders } from '../core/config/projectFolders.js';
import { defaultSettings as defaultProjectSettings } from '../core/config/readSettings.js';
import { singleFlight } from '../core/singleFlight.js';
import { ConfigDocument, diskDocument } from './configDocument.js';
import { findProjects, isSkipped } from './findProjects.js';
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

export interface WorkspaceInit {
  readonly host: ServiceHost;
  /** Whether an open document is ignored once its file is deleted, until it is changed or the file exists again. */
  readonly dropsDeleted: boolean;
  readonly onAffected: (affected: Affected) => void;
  readonly onError: (error: unknown) => void;
}

/** Everything the server knows: open documents, projects, and the searches and loads that are under way. */
export class WorkspaceState implements Workspace {
  readonly host: ServiceHost;
  private readonly onAffected: (affected: Affected) => void;
  private readonly onError: (error: unknown) => void;
  private readonly dropsDeleted: boolean;
  private readonly byUri = new Map<string, OpenDocument>();
  private readonly byRoot = new Map<string, { readonly state: ProjectState; readonly open: Map<string, ConfigDocument> }>();
  /** The root of the project that a folder belongs to. Cleared when files are added or removed. */
  private readonly roots = new Map<string, string | undefined>();
  private readonly loads = new Set<Promise<void>>();
  /**
   * Compares everything with the disk: watchers lose what happens in folders within a folder that has just come. What is asked for while it looks is one more look
   * afterwards.
   */
  readonly lookAgain: () => void;
  private isStarted = false;
  folders: readonly string[] = [];
  settings: Settings = defaultSettings;

  constructor({ host, dropsDeleted, onAffected, onError }: WorkspaceInit) {
    this.host = host;
    this.dropsDeleted = dropsDeleted;
    this.onAffected = onAffected;
    this.onError = onError;
    this.lookAgain = singleFlight(() => this.track(this.lookEverywhere()), onError);
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
      // A change of its language opens a document anew, and its file may be deleted by then.
      if (this.dropsDeleted) this.follow(this.byUri.get(textDocument.uri)!);
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
  changedOnDisk(reported: readonly string[], { names }: { readonly names: boolean }): void {
    const uris = names ? reported.filter((uri) => this.concerns(uri)) : reported;
    const mayMove = names && uris.some(decidesOnProjects);
    if (mayMove) this.roots.clear();
    for (const uri of uris) {
      const file = this.host.toPath(uri);
      if (file === undefined) continue;
      for (const around of this.projectsAbout(file)) {
        const path = projectPath(around, file);
        // Of a removed folder, only its own name is reported.
        const changed = !names ? [path] : path === '' ? around.filesBelow('') : [path, ...around.filesBelow(path)];
        for (const each of changed) if (!this.isOpen(around, each)) around.touch(each);
      }
      if (names && this.isStarted) this.lookAbout(file);
    }
    if (mayMove) {
      this.placeAgain();
      this.dropProjects();
    }
    if (!names || !this.dropsDeleted) return;
    const places = uris.flatMap((uri) => this.host.toPath(uri) ?? []);
    for (const open of this.byUri.values()) if (places.some((place) => isInside(place, open.file ?? ''))) this.follow(open);
  }

  private async lookEverywhere(): Promise<void> {
    this.roots.clear();
    this.placeAgain();
    this.dropProjects();
    for (const open of [...this.byUri.values()]) if (this.dropsDeleted) this.follow(open);
    for (const project of this.projects) await project.lookForChanges();
    for (const folder of this.folders) await this.findIn(folder);
  }

  /** Everything that comes or goes is reported. A file of no kind, or a folder without config files, changes nothing. */
  private concerns(uri: string): boolean {
    if (isCode(uri) || uri.endsWith('.json') || projectFolders.some((name) => uri.includes(`/${name}`))) return true;
    const file = this.host.toPath(uri);
    if (file === undefined) return false;
    const isKnown = this.projects.some(
      (project) =>
        isInside(file, project.root) || (isInside(project.root, file) && project.filesBelow(projectPath(project, file)).length > 0),
    );
    return isKnown || (!this.isSkipped(file) && this.host.listFolder(file).length > 0);
  }

  private isSkipped(path: string): boolean {
    const folder = this.folders.find((around) => isInside(around, path)) ?? '';
    return path.slice(folder.length).split('/').some(isSkipped);
  }

  /** VS Code keeps documents open whose files are deleted. What is wrong in them is not wrong in the project. */
  private follow({ document, file, project }: OpenDocument): void {
    const { path } = document;
    if (file === undefined || project === undefined || path === undefined) return;
    const text = this.host.readText(file);
    if ((text !== undefined) === this.isOpen(project, path)) return;
    // Of a folder that comes back, VS Code does not read the files again that are open: then the disk counts.
    if (text !== undefined && text !== document.text) project.touch(path);
    else if (text !== undefined) this.put(document.textDocument);
    else {
      this.byRoot.get(project.root)?.open.delete(path);
      project.touch(path);
    }
  }

  /** The projects that a file or folder is in, and those in it: without the file, its folder may no longer be a project. */
  private projectsAbout(file: string): readonly ProjectState[] {
    const project = this.projectAt(file);
    return this.projects.filter((other) => other === project || isInside(file, other.root) || isInside(other.root, file));
  }

  /** Of a folder that comes or goes, only its own name is reported. What YAML is told depends on the JSON beside it. */
  private lookAbout(file: string): void {
    if (isCode(file)) return;
    const isJson = file.endsWith('.json');
    if (isJson && !this.projectsAbout(file).some((project) => project.hasFaultBeside(projectPath(project, file)))) return;
    this.lookInto(isJson || /\.ya?ml$/i.test(file) ? file.slice(0, file.lastIndexOf('/')) : file);
  }

  /** Finds the config files and projects in a folder, and looks again for what is wrong with folders in it. */
  private lookInto(folder: string): void {
    void this.track(
      (async () => {
        await this.host.nextTurn();
        for (const project of this.projectsAbout(folder)) await project.lookAgain(projectPath(project, folder));
        for await (const root of findProjects(folder, this.host)) {
          if (root !== undefined) await this.projectIn(root).lookAgain('');
          await this.host.nextTurn();
        }
      })(),
    );
  }

  /** Brings the index of every project up to date and reports the affected files. */
  settle(): void {
    for (const { state } of this.byRoot.values()) state.settle();
  }

  setFolders(folders: readonly string[]): void {
    const added = folders.filter((folder) => !this.folders.includes(folder));
    this.folders = folders;
    for (const [root, { open }] of this.byRoot) {
      if (open.size === 0 && !folders.some((folder) => isInside(folder, root) || isInside(root, folder))) this.drop(root);
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

  /** Folders that are projects no more. */
  private dropProjects(): void {
    for (const [root, { open }] of this.byRoot) if (open.size === 0 && this.host.findProject(root) !== root) this.drop(root);
  }

  private drop(root: string): void {
    this.byRoot.get(root)?.state.base.close();
    this.byRoot.delete(root);
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
    const existing = this.byRoot.get(root);
    if (existing !== undefined) return existing.state;
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
    void this.track(project.load());
  }

  private discover(folder: string): void {
    const around = this.host.findProject(folder);
    if (around !== undefined) this.projectIn(around);
    void this.track(
      (async () => {
        // Open documents come first.
        await this.host.nextTurn();
        await this.findIn(folder);
      })(),
    );
  }

  /** Takes the projects in a folder that are not known yet. */
  private async findIn(folder: string): Promise<void> {
    for await (const root of findProjects(folder, this.host)) {
      if (root !== undefined) this.projectIn(root);
      await this.host.nextTurn();
    }
  }

  private track(work: Promise<void>): Promise<void> {
    const tracked = work.catch(this.onError).finally(() => this.loads.delete(tracked));
    this.loads.add(tracked);
    return tracked;
  }
}

/** Empty for the project itself, and for a folder around it. */
function projectPath({ root }: Pick<Project, 'root'>, file: string): string {
  if (file.length <= root.length) return '';
  return root.endsWith('/') ? file.slice(root.length) : file.slice(root.length + 1);
}

/** Whether adding or removing a file may make a folder a project or none. Anything but a JSON file may be a folder. */
function decidesOnProjects(uri: string): boolean {
  return !uri.endsWith('.json') || uri.endsWith('/agentstack.json') || projectFolders.some((name) => uri.includes(`/${name}/`));
}

/** The module of tools, or what it imports. */
function isCode(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The root of the project whose first file will be a document that is not saved yet. A `config/mcp.json` alone may be any tool's. */
function futureRoot(file: string): string | undefined {
  const at = file.lastIndexOf('/config/');
  if (at < 0) return undefined;
  const identity = identifyFile(file.slice(at + 1), defaultProjectSettings);
  const place = file.slice(at + '/config/'.length).split('/', 1)[0] ?? '';
  return identity === undefined || !projectFolders.includes(place) ? undefined : file.slice(0, at) || '/';
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
