import type { Missing } from '../core/check/checker.js';
import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import { unreadable } from '../core/config/listConfigFiles.js';
import type { KnownFile, MemoryIndex } from '../core/config/memoryIndex.js';
import { parseConfigFile } from '../core/config/parseConfigFile.js';
import { identifyFile, settingsIdentity, settingsPath } from '../core/config/paths.js';
import type { Reference } from '../core/config/projectIndex.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import type { PlacedFinding } from '../core/finding.js';
import { placeFindings } from '../core/jsonText/placeFindings.js';
import type { Kind } from '../core/kinds.js';
import type { FileSystem } from '../core/ports.js';
import type { RuleContext } from '../core/rules/rule.js';
import { affectedFiles } from './affectedFiles.js';
import type { ConfigDocument } from './configDocument.js';
import type { ServiceHost } from './host.js';
import { ProjectBase } from './projectBase.js';
import { ProjectChecks } from './projectChecks.js';
import { GrowingIndex, ProjectLoader } from './projectLoader.js';
import { ProjectTexts } from './projectTexts.js';
import type { Project } from './workspace.js';

/** When more files change at once (another branch, say), every file is checked again. */
const manyPaths = 100;

export interface ProjectInit {
  readonly root: string;
  readonly host: ServiceHost;
  /** Severities of the client's settings, which count before the project's own. */
  readonly severities: ProjectSettings['rules'];
  /** Open documents of this project by project path. */
  readonly openDocuments: ReadonlyMap<string, ConfigDocument>;
  /** Called with the files whose findings may have changed. */
  readonly onAffected: (project: ProjectState, paths: ReadonlySet<string> | 'all') => void;
  /** Called with what has failed in the background. */
  readonly onError: (error: unknown) => void;
  /** Called when the project has to be loaded again. */
  readonly onReload: (project: ProjectState) => void;
  /** Called when the config folder has changed, so that open documents are of other kinds. */
  readonly onKinds: () => void;
}

/** One project: its index, kept in step with open documents and the disk, and what has been found in its files. */
export class ProjectState implements Project {
  readonly root: string;
  readonly files: FileSystem;
  private readonly host: ServiceHost;
  private readonly texts: ProjectTexts;
  private readonly on: Pick<ProjectInit, 'onAffected' | 'onReload' | 'onKinds'>;
  /** What its open files are compared with. */
  readonly base: ProjectBase;
  private readonly checks: ProjectChecks;
  private growing: GrowingIndex;
  private readonly loader: ProjectLoader;
  /** Paths of files that may have changed since they were indexed. */
  private readonly unsettled = new Set<string>();
  private readonly found = new Map<string, readonly PlacedFinding[]>();

  constructor({ root, host, severities, openDocuments, onError, ...on }: ProjectInit) {
    this.root = root;
    this.host = host;
    this.files = host.openFiles(root);
    this.texts = new ProjectTexts({ root, files: this.files, toUri: host.toUri, openDocuments });
    this.on = on;
    this.growing = new GrowingIndex(this.texts.readSettings());
    this.loader = new ProjectLoader({
      files: this.files,
      index: () => this.growing,
      isTaken: (path) => this.isTaken(path),
      readSettings: () => this.takeSettingsFile(),
      read: (index, path, identity) => this.read(index, path, identity),
      onStage: () => this.checks.renew(),
      nextTurn: host.nextTurn,
    });
    this.base = new ProjectBase({
      open: (onMoved) => host.openCommitted(root, onMoved),
      ready: () => this.loader.reached('contents'),
      fileOf: (path) => openDocuments.get(path)?.config,
      onChanged: (paths) => {
        for (const path of paths) this.found.delete(path);
        on.onAffected(this, paths);
      },
      onError,
    });
    this.checks = new ProjectChecks({
      environment: host.environment,
      severities,
      base: (file) => this.base.valueOf(file),
      index: () => this.growing,
      documentAt: (path) => this.documentAt(path),
    });
  }

  get settings(): ProjectSettings {
    return this.index.settings;
  }

  get index(): MemoryIndex {
    this.settle();
    return this.growing;
  }

  get ruleContext(): RuleContext {
    this.settle();
    return this.checks.context;
  }

  documentAt(path: string): ConfigDocument | undefined {
    return this.texts.documentAt(path, (unopened) => this.identityOf(unopened));
  }

  uriOf(path: string): string {
    return this.texts.uriOf(path);
  }

  openVersion(path: string): number | null {
    return this.texts.openDocuments.get(path)?.version ?? null;
  }

  identityOf(path: string): FileIdentity | undefined {
    return this.growing.identityOf(path) ?? identifyFile(path, this.growing.settings);
  }

  knownFiles(): readonly KnownFile[] {
    return this.index.files();
  }

  get unlisted(): readonly string[] {
    return this.loader.faults.map(({ file }) => file);
  }

  variableNames(): readonly string[] {
    return this.host.environment.names?.() ?? [];
  }

  async findings(path: string): Promise<readonly PlacedFinding[]> {
    this.settle();
    const before = this.found.get(path);
    if (before !== undefined) return before;
    if (this.identityOf(path) === undefined) return placeFindings('', this.loader.faultsAt(path));
    // The project may have changed during each wait, so the file is looked up again after it.
    const known = this.known(path);
    if (known !== undefined) {
      await known;
      return this.findings(path);
    }
    const found = this.checkAt(path);
    if (typeof found === 'function') {
      await this.checks.load(found);
      return this.findings(path);
    }
    this.found.set(path, found);
    return found;
  }

  /** Resolves when as much of the project is known as what a file says depends on; undefined when it is already. */
  known(path: string): Promise<void> | undefined {
    const identity = this.identityOf(path);
    return identity === undefined ? undefined : this.loader.reached(namesAgents(identity) ? 'names' : 'layers');
  }

  /** Known files in a folder. */
  filesBelow(folder: string): readonly string[] {
    const prefix = `${folder}/`;
    return this.growing.files().flatMap(({ path }) => (path.startsWith(prefix) ? [path] : []));
  }

  /** An open document or a file on disk has changed. It is read with the next request. */
  touch(path: string): void {
    this.unsettled.add(path);
  }

  /** Brings the index up to date and reports which files are affected. */
  settle(): void {
    while (this.unsettled.size > 0) this.settleOnce();
  }

  private settleOnce(): void {
    const paths = [...this.unsettled];
    this.unsettled.clear();
    const asks = paths.length <= manyPaths;
    const affected = new Set(paths);
    const { complete } = this.growing;
    let all = false;
    for (const path of paths) {
      const concerned = path === settingsPath ? this.takeSettings() : this.take(path, asks);
      if (concerned === 'all') all = true;
      else for (const other of concerned) affected.add(other);
    }
    // Rules about absence speak only while every file can be read.
    if (complete !== this.growing.complete)
      for (const kind of usableKinds) for (const path of this.growing.ids(kind).values()) affected.add(path);
    this.checks.renew();
    if (all) this.found.clear();
    else for (const path of affected) this.found.delete(path);
    this.on.onAffected(this, all ? 'all' : affected);
  }

  setSeverities(severities: ProjectSettings['rules']): void {
    this.checks.setSeverities(severities);
    this.found.clear();
    this.on.onAffected(this, 'all');
  }

  /** Finds and reads the files. */
  async load(): Promise<void> {
    try {
      await this.loader.load();
    } finally {
      this.found.clear();
      this.on.onAffected(this, 'all');
    }
  }

  /** An open document counts instead of the disk, and is in the index already or will be with the next `settle`. */
  private isTaken(path: string): boolean {
    return this.texts.openDocuments.has(path) || this.unsettled.has(path);
  }

  private read(index: MemoryIndex, path: string, identity: FileIdentity): void {
    const text = this.texts.readDisk(path);
    if (typeof text === 'string') index.set(parseConfigFile(path, text, identity));
    else if (text.reason === 'not-found') index.remove(path);
    else index.setUnreadable(path, identity);
  }

  /** Indexes a file as it is now. Returns the affected files; all of them unless `asks`. */
  private take(path: string, asks: boolean): ReadonlySet<string> | 'all' {
    const index = this.growing;
    const identity = this.identityOf(path);
    if (identity === undefined) return noPaths;
    const wasKnown = index.identityOf(path) !== undefined;
    const before = index.referencesFrom(path);
    const file = this.texts.fileAt(path, () => identity);
    const isNew = wasKnown !== (file === 'unreadable' || file?.foreign === false);
    const concernedBy = (references: readonly (readonly Reference[])[]) =>
      asks ? affectedFiles(index, { path, identity, isNew, references }) : 'all';
    // References to a file that is removed are known before the change, references to a new file after it.
    const earlier = isNew && wasKnown ? concernedBy([before, []]) : noPaths;
    put(index, path, identity, file);
    const later = concernedBy([before, index.referencesFrom(path)]);
    if (earlier === 'all' || later === 'all') return 'all';
    return earlier.size === 0 ? later : new Set([...earlier, ...later]);
  }

  private takeSettings(): 'all' {
    const settings = this.texts.readSettings();
    this.checks.forgetSettings();
    if (settings.config_dir !== this.growing.settings.config_dir) this.startAnew(settings);
    this.growing.settings = settings;
    this.takeSettingsFile();
    return 'all';
  }

  /** The project has other files now. */
  private startAnew(settings: ProjectSettings): void {
    this.growing = new GrowingIndex(settings);
    const wasLoaded = this.loader.startAnew();
    this.on.onKinds();
    if (wasLoaded) this.on.onReload(this);
  }

  private takeSettingsFile(): void {
    put(
      this.growing,
      settingsPath,
      settingsIdentity,
      this.texts.fileAt(settingsPath, () => settingsIdentity),
    );
  }

  /** Everything found in a file, or what must be loaded first. */
  private checkAt(path: string): readonly PlacedFinding[] | Missing {
    const document = this.documentAt(path);
    if (document !== undefined) return this.checks.check(document);
    const problem = this.texts.problemAt(path);
    return problem === undefined || problem.reason === 'not-found' ? [] : placeFindings('', [unreadable(problem)]);
  }
}

/** Puts a file into the index; undefined for a file that is not there. */
function put(index: MemoryIndex, path: string, identity: FileIdentity, file: ConfigFile | 'unreadable' | undefined): void {
  if (file === undefined) index.remove(path);
  else if (file === 'unreadable') index.setUnreadable(path, identity);
  else index.set(file);
}

const noPaths: ReadonlySet<string> = new Set();
/** Kinds that a rule reports when nothing uses them. */
const usableKinds: readonly Kind[] = ['llm', 'persona', 'prompt', 'mcp'];

/** Files that name agents are checked when all agents are known by name. */
function namesAgents({ kind }: FileIdentity): boolean {
  return kind === 'orchestration' || kind === 'payload' || kind === 'system';
}
