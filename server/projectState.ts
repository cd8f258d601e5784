import { affectedFiles } from '../core/check/affectedFiles.js';
import type { Missing } from '../core/check/checker.js';
import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import { listConfigFiles, unreadable } from '../core/config/listConfigFiles.js';
import type { KnownFile, MemoryIndex } from '../core/config/memoryIndex.js';
import { parseConfigFile } from '../core/config/parseConfigFile.js';
import { identifyFile, settingsIdentity, settingsPath } from '../core/config/paths.js';
import { nothingRegistered, type Reference } from '../core/config/projectIndex.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import { isStray } from '../core/config/strayFiles.js';
import type { Finding, PlacedFinding } from '../core/finding.js';
import { placeFindings } from '../core/jsonText/placeFindings.js';
import type { Kind } from '../core/kinds.js';
import type { FileProblem, FileSystem } from '../core/ports.js';
import type { RuleContext } from '../core/rules/rule.js';
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
  private readonly onError: ProjectInit['onError'];
  private growing: GrowingIndex;
  private readonly loader: ProjectLoader;
  /** Paths of files that may have changed since they were indexed. */
  private readonly unsettled = new Set<string>();
  /** What was on disk when a file was indexed: the hash of its text, or why it had none. */
  private readonly indexed = new Map<string, string>();
  /** How often code was asked what it registers. */
  private learning = 0;
  private readonly findingsByPath = new Map<string, readonly PlacedFinding[]>();

  constructor({ root, host, severities, openDocuments, onError, ...on }: ProjectInit) {
    this.root = root;
    this.host = host;
    this.files = host.openFiles(root);
    this.texts = new ProjectTexts({ root, files: this.files, toUri: host.toUri, openDocuments });
    this.on = on;
    this.onError = onError;
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
        for (const path of paths) this.findingsByPath.delete(path);
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

  foreignFiles(): readonly KnownFile[] {
    return this.index.foreignFiles();
  }

  get unlisted(): readonly string[] {
    return this.growing.faults.map(({ file }) => file);
  }

  variableNames(): readonly string[] {
    return this.host.environment.names?.() ?? [];
  }

  async findings(path: string): Promise<readonly PlacedFinding[]> {
    this.settle();
    const before = this.findingsByPath.get(path);
    if (before !== undefined) return before;
    if (this.identityOf(path) === undefined) {
      const findings = this.checks.checkUnlisted(this.growing.faults.filter(({ file }) => file === path));
      this.findingsByPath.set(path, findings);
      return findings;
    }
    // The project may have changed during each wait, so the file is looked up again after it.
    const loading = this.known(path);
    if (loading !== undefined) {
      await loading;
      return this.findings(path);
    }
    const findings = this.checkAt(path);
    if (typeof findings === 'function') {
      await this.checks.load(findings);
      return this.findings(path);
    }
    this.findingsByPath.set(path, findings);
    return findings;
  }

  async findingsIn(draft: ConfigDocument): Promise<readonly PlacedFinding[]> {
    this.settle();
    if (draft.path !== undefined) await this.known(draft.path);
    const findings = this.checks.check(draft);
    if (typeof findings !== 'function') return findings;
    await this.checks.load(findings);
    return this.findingsIn(draft);
  }

  /** Resolves when as much of the project is known as what a file says depends on; undefined when it is already. */
  known(path: string): Promise<void> | undefined {
    const identity = this.identityOf(path);
    return identity === undefined ? undefined : this.loader.reached(namesAgents(identity) ? 'names' : 'layers');
  }

  /** Known files in a folder; of the project itself, `''`, all. */
  filesBelow(folder: string): readonly string[] {
    const prefix = folder === '' ? '' : `${folder}/`;
    return this.growing.files().flatMap(({ path }) => (path.startsWith(prefix) ? [path] : []));
  }

  /** Lists a folder again in which files and folders have come or gone that are not named one by one; the project itself is `''`. */
  async lookAgain(folder: string): Promise<void> {
    if (folder === '') this.touch(settingsPath);
    this.settle();
    const faults: Finding[] = [];
    for await (const files of listConfigFiles(this.files, this.growing.settings, {
      isWanted: () => true,
      report: (finding) => faults.push(finding),
      within: folder,
    })) {
      for (const { path } of files) this.touch(path);
      if (this.unsettled.size > manyPaths) this.settle();
      await this.host.nextTurn();
    }
    this.takeFaults(folder, faults);
    this.settle();
  }

  /** Lists the project again and reads each file. Only what is not as it was indexed is touched. */
  async lookForChanges(): Promise<void> {
    await this.loader.reached('contents');
    this.settle();
    const missing = new Set([...this.filesBelow(''), ...this.growing.foreignFiles().map(({ path }) => path)]);
    const faults: Finding[] = [];
    const compare = (path: string) => {
      missing.delete(path);
      if (!this.isTaken(path) && this.indexed.get(path) !== this.stateOnDisk(path)) this.touch(path);
    };
    compare(settingsPath);
    const report = (finding: Finding) => faults.push(finding);
    for await (const files of listConfigFiles(this.files, this.growing.settings, { isWanted: () => true, report })) {
      for (const { path } of files) compare(path);
      await this.host.nextTurn();
    }
    for (const path of missing) if (!this.isTaken(path)) this.touch(path);
    this.takeFaults('', faults);
    this.settle();
  }

  /** Whether the file, or something beside it, is reported as what nothing reads, such as the same in YAML. */
  hasFaultBeside(path: string): boolean {
    const folder = folderOf(path);
    return isStray(path, this.growing.settings) || this.growing.faults.some(({ file }) => folderOf(file) === folder);
  }

  private takeFaults(folder: string, faults: readonly Finding[]): void {
    const isIn = ({ file }: Finding) => folder === '' || file === folder || file.startsWith(`${folder}/`);
    const before = this.growing.faults;
    const { complete } = this.growing;
    if (JSON.stringify(faults) === JSON.stringify(before.filter(isIn))) return;
    this.growing.faults = [...before.filter((fault) => !isIn(fault)), ...faults];
    const affected = new Set([...before, ...faults].map(({ file }) => file));
    if (complete !== this.growing.complete) for (const path of this.usablePaths()) affected.add(path);
    this.tell(affected);
  }

  /** Files that a rule reports when nothing uses them. It speaks only while every file can be read. */
  private usablePaths(): readonly string[] {
    return usableKinds.flatMap((kind) => [...this.growing.ids(kind).values()]);
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
    if (paths.some((path) => isCodeOfTools(path, this.growing.settings.tools))) this.learnRegistered().catch(this.onError);
    for (const path of paths) {
      this.remember(path);
      const concerned = path === settingsPath ? this.takeSettings() : this.take(path, asks);
      if (concerned === 'all') all = true;
      else for (const other of concerned) affected.add(other);
    }
    if (complete !== this.growing.complete) for (const path of this.usablePaths()) affected.add(path);
    this.tell(all ? 'all' : affected);
  }

  /** Forgets what was found in these files, and says so. */
  private tell(affected: ReadonlySet<string> | 'all'): void {
    this.checks.renew();
    if (affected === 'all') this.findingsByPath.clear();
    else for (const path of affected) this.findingsByPath.delete(path);
    this.on.onAffected(this, affected);
  }

  setSeverities(severities: ProjectSettings['rules']): void {
    this.checks.setSeverities(severities);
    this.findingsByPath.clear();
    this.on.onAffected(this, 'all');
  }

  /** Finds and reads the files. */
  async load(): Promise<void> {
    try {
      await Promise.all([this.loader.load(), this.learnRegistered()]);
    } finally {
      this.findingsByPath.clear();
      this.on.onAffected(this, 'all');
    }
  }

  /** An open document counts instead of the disk, and is in the index already or will be with the next `settle`. */
  private isTaken(path: string): boolean {
    return this.texts.openDocuments.has(path) || this.unsettled.has(path);
  }

  /** Remembers what is indexed of a file on disk. An open document counts instead, and is read from the disk when it is closed. */
  private remember(path: string): void {
    if (!this.texts.openDocuments.has(path)) this.indexed.set(path, this.stateOnDisk(path));
  }

  private stateOnDisk(path: string): string {
    return this.stateOf(this.texts.readDisk(path));
  }

  private stateOf(text: string | FileProblem): string {
    return typeof text === 'string' ? this.host.sha256(text) : text.reason;
  }

  private read(index: MemoryIndex, path: string, identity: FileIdentity): void {
    const text = this.texts.readDisk(path);
    this.indexed.set(path, this.stateOf(text));
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
    const casesBefore = identity.kind === 'payload' ? index.cases(identity.id) : undefined;
    const file = this.texts.fileAt(path, () => identity);
    const isNew = wasKnown !== (file === 'unreadable' || (file !== undefined && file.foreign === undefined));
    const concernedBy = (references: readonly (readonly Reference[])[], hasOtherCases = false) =>
      asks ? affectedFiles(index, { path, identity, isNew, references, hasOtherCases }) : 'all';
    // References to a file that is removed are known before the change, references to a new file after it.
    const earlier = isNew && wasKnown ? concernedBy([before, []]) : noPaths;
    put(index, path, identity, file);
    const hasOtherCases = identity.kind === 'payload' && !isSameSet(casesBefore, index.cases(identity.id));
    const later = concernedBy([before, index.referencesFrom(path)], hasOtherCases);
    if (earlier === 'all' || later === 'all') return 'all';
    return earlier.size === 0 ? later : new Set([...earlier, ...later]);
  }

  private takeSettings(): 'all' {
    const settings = this.texts.readSettings();
    this.checks.forgetSettings();
    if (settings.config_dir !== this.growing.settings.config_dir) this.startAnew(settings);
    this.growing.settings = settings;
    this.takeSettingsFile();
    this.learnRegistered().catch(this.onError);
    return 'all';
  }

  /** Has code say what it registers. No request waits for it: until it is known, any name may be one of its. */
  private async learnRegistered(): Promise<void> {
    const { settings } = this.growing;
    this.learning += 1;
    const { learning } = this;
    const registered = settings.tools === undefined ? nothingRegistered : await this.host.registeredIn(this.root)(settings);
    // The module may have changed again meanwhile.
    if (learning !== this.learning || settings !== this.growing.settings || registered === this.growing.registered) return;
    this.growing.registered = registered;
    this.checks.renew();
    this.findingsByPath.clear();
    this.on.onAffected(this, 'all');
  }

  /** The project has other files now. */
  private startAnew(settings: ProjectSettings): void {
    this.growing = new GrowingIndex(settings);
    const wasLoaded = this.loader.startAnew();
    this.on.onKinds();
    if (wasLoaded) this.on.onReload(this);
  }

  private takeSettingsFile(): void {
    this.remember(settingsPath);
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

function isSameSet(left: ReadonlySet<string> | undefined, right: ReadonlySet<string> | undefined): boolean {
  return left === right || (left?.size === right?.size && [...(left ?? [])].every((name) => right?.has(name)));
}

const noPaths: ReadonlySet<string> = new Set();
/** Kinds that a rule reports when nothing uses them. */
const usableKinds: readonly Kind[] = ['llm', 'persona', 'prompt', 'mcp'];

/** Whether a file is the module of tools, or code beside it that the module may import. */
function isCodeOfTools(path: string, module: string | undefined): boolean {
  if (module === undefined || !/\.[cm]?[jt]s$/.test(path) || path.includes('node_modules/')) return false;
  const parts = module.split('/').filter((part) => part !== '.');
  return path.startsWith(
    parts
      .slice(0, -1)
      .map((part) => `${part}/`)
      .join(''),
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Files that name agents are checked when all agents are known by name. */
function namesAgents({ kind }: FileIdentity): boolean {
  return kind === 'orchestration' || kind === 'payload' || kind === 'baseline' || kind === 'system';
}
