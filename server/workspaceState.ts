import type { TextDocument } from 'vscode-languageserver-textdocument';
import { settingsPath } from '../core/config/paths.js';
import { projectFolders } from '../core/config/projectFolders.js';
import { toolFileAt } from '../core/inventory/findToolFiles.js';
import { singleFlight } from '../core/singleFlight.js';
import { BackgroundWork } from './backgroundWork.js';
import { ConfigDocument, diskDocument } from './configDocument.js';
import { findProjects, isSkipped } from './findProjects.js';
import type { ServiceHost } from './host.js';
import { isInside, ProjectRoots, projectPath } from './projectRoots.js';
import { ProjectState } from './projectState.js';
import { defaultSettings, type Settings } from './settings.js';
import type { Project, Workspace } from './workspace.js';
import type { OpenDocument, WorkspaceInit } from './workspaceInit.js';

/** All state of the server: open documents, projects, and the searches and loads that are under way. */
export class WorkspaceState implements Workspace {
  readonly host: ServiceHost;
  private readonly init: WorkspaceInit;
  private readonly byUri = new Map<string, OpenDocument>();
  private readonly byRoot = new Map<string, { readonly state: ProjectState; readonly open: Map<string, ConfigDocument> }>();
  private readonly roots: ProjectRoots;
  private readonly work: BackgroundWork;
  /** Compares everything with the disk, since watchers miss changes below a new folder. Calls meanwhile cause one more comparison. */
  readonly lookAgain: () => void;
  private isStarted = false;
  folders: readonly string[] = [];
  settings: Settings = defaultSettings;

  constructor(init: WorkspaceInit) {
    const { host, onError } = init;
    this.init = init;
    this.host = host;
    this.roots = new ProjectRoots(host);
    this.work = new BackgroundWork(onError);
    this.lookAgain = singleFlight(() => this.work.add(this.compareWithDisk()), onError);
  }

  get projects(): readonly ProjectState[] {
    return this.checkedFolders.filter(({ isBare }) => !isBare);
  }

  get checkedFolders(): readonly ProjectState[] {
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

  /** Resolves when the files that responses about a document depend on are loaded; undefined if they already are. */
  loaded(uri: string): Promise<void> | undefined {
    const open = this.byUri.get(uri);
    const file = open === undefined ? this.host.toPath(uri) : open.file;
    const project = open === undefined && file !== undefined ? this.projectAt(file) : open?.project;
    return project === undefined || file === undefined ? undefined : project.loaded(projectPath(project, file));
  }

  isOpen(project: Project, path: string): boolean {
    return this.byRoot.get(project.root)?.open.has(path) ?? false;
  }

  async ready(signal?: AbortSignal): Promise<void> {
    // An unsaved agentstack.json may name another folder, which is read first.
    this.settle();
    await this.work.ended(signal);
  }

  /** A document is open in the editor with this text from now on. */
  setText(textDocument: TextDocument): void {
    const open = this.byUri.get(textDocument.uri);
    if (open === undefined) {
      this.roots.clear();
      this.put(textDocument);
      // Changing its language reopens a document, whose file may be deleted by then.
      if (this.init.dropsDeleted) this.followDisk(this.byUri.get(textDocument.uri)!);
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
    const uris = names ? reported.filter((uri) => this.isRelevant(uri)) : reported;
    const mayMove = names && uris.some(decidesOnProjects);
    if (mayMove) this.roots.clear();
    for (const uri of uris) {
      const file = this.host.toPath(uri);
      if (file === undefined) continue;
      for (const around of this.projectsAbout(file)) {
        const path = projectPath(around, file);
        // Of a removed folder, only its own name is reported.
        const changed = !names ? [path] : path === '' ? around.filesBelow('') : [path, ...around.filesBelow(path)];
        for (const changedPath of changed) if (!this.isOpen(around, changedPath)) around.touch(changedPath);
      }
      if (names && this.isStarted) this.relistAround(file);
    }
    if (mayMove) {
      this.placeAgain();
      this.dropProjects();
    }
    if (!names || !this.init.dropsDeleted) return;
    const places = uris.flatMap((uri) => this.host.toPath(uri) ?? []);
    for (const open of this.byUri.values()) if (places.some((place) => isInside(place, open.file ?? ''))) this.followDisk(open);
  }

  private async compareWithDisk(): Promise<void> {
    this.roots.clear();
    this.placeAgain();
    this.dropProjects();
    for (const open of [...this.byUri.values()]) if (this.init.dropsDeleted) this.followDisk(open);
    for (const project of this.checkedFolders) await project.compareWithDisk();
    for (const folder of this.folders) await this.addProjectsIn(folder);
  }

  /** Every file that is added or removed is reported. A file of no kind, or a folder without config files, changes nothing. */
  private isRelevant(uri: string): boolean {
    if (isCode(uri) || toolFileAt(uri) !== undefined || uri.endsWith('.json') || projectFolders.some((name) => uri.includes(`/${name}`)))
      return true;
    const file = this.host.toPath(uri);
    if (file === undefined) return false;
    const isKnown = this.checkedFolders.some(
      (project) =>
        isInside(file, project.root) ||
        (isInside(project.root, file) &&
          (project.toolFiles.names(projectPath(project, file)) || project.filesBelow(projectPath(project, file)).length > 0)),
    );
    return isKnown || (!this.isSkipped(file) && this.host.listFolder(file).length > 0);
  }

  private isSkipped(path: string): boolean {
    const folder = this.folders.find((around) => isInside(around, path)) ?? '';
    return path.slice(folder.length).split('/').some(isSkipped);
  }

  /** VS Code keeps documents open whose files are deleted. They no longer count for the project. */
  private followDisk({ document, file, project }: OpenDocument): void {
    const { path } = document;
    if (file === undefined || project === undefined || path === undefined) return;
    const text = this.host.readText(file);
    if ((text !== undefined) === this.isOpen(project, path)) return;
    // When a folder is restored, VS Code does not read its open files again, so the disk counts.
    if (text !== undefined && text !== document.fileText) project.touch(path);
    else if (text !== undefined) this.put(document.textDocument);
    else {
      this.byRoot.get(project.root)?.open.delete(path);
      project.touch(path);
    }
  }

  /** The projects around and inside a file or folder: without the file, its folder may no longer be a project. */
  private projectsAbout(file: string): readonly ProjectState[] {
    const project = this.projectAt(file);
    return this.checkedFolders.filter((other) => other === project || isInside(file, other.root) || isInside(other.root, file));
  }

  /** Of a folder that is added or removed, only its own name is reported. Findings of YAML files depend on the JSON files beside them. */
  private relistAround(file: string): void {
    if (isCode(file)) return;
    const isConfig = /\.(?:json|md)$/.test(file);
    if (isConfig && !this.projectsAbout(file).some((project) => project.hasFaultBeside(projectPath(project, file)))) return;
    this.relist(isConfig || /\.ya?ml$/i.test(file) ? file.slice(0, file.lastIndexOf('/')) : file);
  }

  /** Finds the config files, projects and faults in a folder again. */
  private relist(folder: string): void {
    void this.work.add(
      (async () => {
        await this.host.nextTurn();
        for (const project of this.projectsAbout(folder)) await project.relist(projectPath(project, folder));
        for await (const root of findProjects(folder, this.host)) {
          if (root !== undefined) await this.projectIn(root).relist('');
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
    const wordsOf = ({ rules, otherTools }: Settings) => JSON.stringify({ rules, otherTools });
    const isSame = wordsOf(settings) === wordsOf(this.settings);
    this.settings = settings;
    if (!isSame) for (const project of this.checkedFolders) project.setClientSettings(settings.rules);
  }

  /** Starts finding projects in the workspace folders, in the background. */
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

  /** Assigns open documents to their projects again, after files have been added or removed. */
  private placeAgain(): void {
    for (const [root, { state }] of this.byRoot) if (state.isBare && this.host.findProject(root) === root) this.drop(root);
    for (const [uri, { document, file, project }] of [...this.byUri]) {
      if (file === undefined || this.projectAt(file) === project) continue;
      this.close(uri);
      this.put(document.textDocument);
    }
  }

  /** Drops folders that are no longer projects. */
  private dropProjects(): void {
    for (const [root, { open, state }] of this.byRoot)
      if (!state.isBare && open.size === 0 && this.host.findProject(root) !== root) this.drop(root);
    if (this.isStarted) for (const folder of this.folders) this.projectIn(this.host.findProject(folder) ?? folder);
  }

  private drop(root: string): void {
    this.byRoot.get(root)?.state.base.close();
    this.byRoot.delete(root);
  }

  private projectAt(file: string): ProjectState | undefined {
    const root = this.roots.of(file) ?? this.folderOfToolFile(file);
    return root === undefined ? undefined : this.projectIn(root);
  }

  /** Outside of projects, the workspace folder that a file of another tool is in. */
  private folderOfToolFile(file: string): string | undefined {
    return toolFileAt(file) === undefined ? undefined : this.folders.find((folder) => isInside(folder, file));
  }

  private projectIn(root: string): ProjectState {
    const existing = this.byRoot.get(root);
    if (existing !== undefined) return existing.state;
    const open = new Map<string, ConfigDocument>();
    const state = new ProjectState({
      root,
      isBare: this.host.findProject(root) !== root && this.folders.includes(root),
      inner: () =>
        this.projects.flatMap((other) => (other.root !== root && isInside(root, other.root) ? [projectPath({ root }, other.root)] : [])),
      takesOtherTools: () => this.settings.otherTools.enabled,
      host: this.host,
      severities: this.settings.rules,
      openDocuments: open,
      onAffected: (paths) => this.init.onAffected({ project: state, paths }),
      onError: this.init.onError,
      onReload: () => this.load(state),
      onKinds: () => this.identifyAgain(open),
    });
    this.byRoot.set(root, { state, open });
    if (this.isStarted) this.load(state);
    return state;
  }

  /** With another config folder, open documents are of other kinds. */
  private identifyAgain(open: ReadonlyMap<string, ConfigDocument>): void {
    for (const { textDocument, path } of [...open.values()]) {
      if (path !== settingsPath) this.put(textDocument);
    }
  }

  private load(project: ProjectState): void {
    void this.work.add(project.load());
  }

  private discover(folder: string): void {
    const around = this.host.findProject(folder);
    this.projectIn(around ?? folder);
    void this.work.add(
      (async () => {
        // Open documents come first.
        await this.host.nextTurn();
        await this.addProjectsIn(folder);
      })(),
    );
  }

  /** Adds the projects in a folder. */
  private async addProjectsIn(folder: string): Promise<void> {
    for await (const root of findProjects(folder, this.host)) {
      if (root !== undefined) this.projectIn(root);
      await this.host.nextTurn();
    }
  }
}

/** Whether adding or removing a file may make its folder a project or no longer one. Anything but a JSON file may be a folder. */
function decidesOnProjects(uri: string): boolean {
  return !uri.endsWith('.json') || uri.endsWith('/agentstack.json') || projectFolders.some((name) => uri.includes(`/${name}/`));
}

/** The tool module, or what it imports. */
function isCode(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}
