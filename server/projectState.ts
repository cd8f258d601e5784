import { affectedFiles } from '../core/check/affectedFiles.js';
import type { Missing } from '../core/check/checker.js';
import type { FileIdentity } from '../core/config/configFile.js';
import { listConfigFiles, unreadable } from '../core/config/listConfigFiles.js';
import type { KnownFile, MemoryIndex } from '../core/config/memoryIndex.js';
import { parseConfigFile } from '../core/config/parseConfigFile.js';
import { identifyFile, settingsIdentity, settingsPath } from '../core/config/paths.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import type { Finding, PlacedFinding } from '../core/finding.js';
import { placeFindings } from '../core/jsonText/placeFindings.js';
import type { FileSystem } from '../core/ports.js';
import type { RuleContext } from '../core/rules/rule.js';
import type { ConfigDocument } from './configDocument.js';
import { GrowingIndex } from './growingIndex.js';
import type { ServiceHost } from './host.js';
import { ProjectBase } from './projectBase.js';
import { ProjectChecks } from './projectChecks.js';
import type { ProjectInit } from './projectInit.js';
import { isOurs, ProjectLoader } from './projectLoader.js';
import { ProjectTexts } from './projectTexts.js';
import { RegisteredCode } from './registeredCode.js';
import { ToolFiles } from './toolFiles.js';
import type { Project } from './workspace.js';

/** If more files change at once, for example with another branch, every file is checked again. */
const manyPaths = 100;

/** One project: its index, kept in step with open documents and the disk, and the findings of its files. */
export class ProjectState implements Project {
  readonly root: string;
  readonly files: FileSystem;
  readonly isBare: boolean;
  readonly toolFiles: ToolFiles;
  private readonly host: ServiceHost;
  private readonly texts: ProjectTexts;
  private readonly on: Pick<ProjectInit, 'onAffected' | 'onReload' | 'onKinds'>;
  /** The last commit, which its open files are compared with. */
  readonly base: ProjectBase;
  private readonly checks: ProjectChecks;
  private readonly onError: ProjectInit['onError'];
  private growing: GrowingIndex;
  private readonly loader: ProjectLoader;
  /** Paths of files that may have changed since they were indexed. */
  private readonly unsettled = new Set<string>();
  private readonly registered: RegisteredCode;
  private readonly findingsByPath = new Map<string, readonly PlacedFinding[]>();

  constructor({ root, isBare, inner, takesOtherTools, host, severities, openDocuments, onError, ...on }: ProjectInit) {
    this.root = root;
    this.isBare = isBare;
    this.host = host;
    this.files = host.openFiles(root);
    this.texts = new ProjectTexts({ root, files: this.files, host, openDocuments });
    this.on = on;
    this.onError = onError;
    this.growing = new GrowingIndex(this.texts.readSettings());
    this.loader = new ProjectLoader({
      files: this.files,
      index: () => this.growing,
      isOurs: (kind) => isOurs(kind, this.isBare),
      isTaken: (path) => this.isTaken(path),
      readSettings: () => this.indexSettingsFile(),
      read: (index, path, identity) => this.read(index, path, identity),
      onStage: () => this.checks.renew(),
      nextTurn: host.nextTurn,
    });
    this.base = new ProjectBase({
      open: (onMoved) => host.openCommitted(root, onMoved),
      ready: () => this.loader.reached('contents'),
      fileOf: (path) => openDocuments.get(path)?.config,
      onChanged: (paths) => this.publish(paths),
      onError,
    });
    this.registered = new RegisteredCode({
      registeredIn: host.registeredIn(root),
      settings: () => this.growing.settings,
      onRegistered: (registered) => {
        if (registered === this.growing.registered) return;
        this.growing.registered = registered;
        this.publish('all');
      },
    });
    this.toolFiles = new ToolFiles({
      files: this.files,
      openDocuments,
      settings: () => ({ ...this.growing.settings, other_tools: this.growing.settings.other_tools && takesOtherTools() }),
      severities: () => this.checks.chosen,
      skip: inner,
      onChanged: (paths) => this.on.onAffected(paths),
      onError,
    });
    this.checks = new ProjectChecks({
      host,
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
    const cached = this.findingsByPath.get(path);
    if (cached !== undefined) return cached;
    if (this.identityOf(path) === undefined) {
      const findings = this.checks.checkUnlisted(this.growing.faults.filter(({ file }) => file === path));
      this.findingsByPath.set(path, findings);
      return findings;
    }
    // The project may have changed during each wait, so the file is looked up again after it.
    const loading = this.loaded(path);
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
    if (draft.path !== undefined) await this.loaded(draft.path);
    const findings = this.checks.check(draft);
    if (typeof findings !== 'function') return findings;
    await this.checks.load(findings);
    return this.findingsIn(draft);
  }

  /** Resolves when the files that the findings of a file depend on are loaded; undefined when they already are. */
  loaded(path: string): Promise<void> | undefined {
    const identity = this.identityOf(path);
    return identity === undefined ? undefined : this.loader.reached(namesAgents(identity) ? 'names' : 'layers');
  }

  /** Known files in a folder; of the project itself, `''`, all. */
  filesBelow(folder: string): readonly string[] {
    const prefix = folder === '' ? '' : `${folder}/`;
    return this.growing.files().flatMap(({ path }) => (path.startsWith(prefix) ? [path] : []));
  }

  /** Lists a folder again (`''` is the project) after a change that did not name its files and folders one by one. */
  async relist(folder: string): Promise<void> {
    if (folder === '') this.touch(settingsPath);
    this.settle();
    const faults: Finding[] = [];
    for await (const files of this.list(faults, folder)) {
      for (const { path } of files) this.touch(path);
      if (this.unsettled.size > manyPaths) this.settle();
      await this.host.nextTurn();
    }
    this.publish(this.growing.replaceFaults(folder, faults));
    this.settle();
    this.toolFiles.read();
  }

  /** Lists the project again and reads each file. Only files that differ from what was indexed are touched. */
  async compareWithDisk(): Promise<void> {
    await this.loader.reached('contents');
    this.settle();
    const missing = new Set([...this.filesBelow(''), ...this.growing.foreignFiles().map(({ path }) => path)]);
    const faults: Finding[] = [];
    const compare = (path: string) => {
      missing.delete(path);
      if (!this.isTaken(path) && this.texts.hasChanged(path)) this.touch(path);
    };
    compare(settingsPath);
    for await (const files of this.list(faults)) {
      for (const { path } of files) compare(path);
      await this.host.nextTurn();
    }
    for (const path of missing) if (!this.isTaken(path)) this.touch(path);
    this.publish(this.growing.replaceFaults('', faults));
    this.settle();
    this.toolFiles.read();
  }

  private list(faults: Finding[], within = '') {
    const report = (finding: Finding) => this.isBare || faults.push(finding);
    return listConfigFiles(this.files, this.growing.settings, { isWanted: (kind) => isOurs(kind, this.isBare), report, within });
  }

  /** Whether the file, or one beside it, is reported as an unread file, such as the same config in YAML. */
  readonly hasFaultBeside = (path: string): boolean => this.growing.hasFaultBeside(path);

  /** An open document or a file on disk has changed. It is read with the next request. */
  touch(path: string): void {
    this.unsettled.add(path);
    this.toolFiles.touch(path);
  }

  /** Brings the index and the day up to date and reports which files are affected. */
  settle(): void {
    while (this.unsettled.size > 0) this.settleOnce();
    if (this.checks.isOfAnotherDay) this.publish('all');
  }

  private settleOnce(): void {
    const paths = [...this.unsettled];
    this.unsettled.clear();
    const findAffected = paths.length <= manyPaths ? affectedFiles : () => 'all' as const;
    const affected = new Set(paths);
    const { complete } = this.growing;
    let all = false;
    if (paths.some((path) => this.registered.isPart(path))) this.readRegistered();
    for (const path of paths) {
      this.texts.remember(path);
      const others = path === settingsPath ? this.applySettings() : this.reindex(path, findAffected);
      if (others === 'all') all = true;
      else for (const dependentPath of others) affected.add(dependentPath);
    }
    if (complete !== this.growing.complete) for (const path of this.growing.usablePaths()) affected.add(path);
    this.publish(all ? 'all' : affected);
  }

  /** Drops the findings of these files and reports the files. */
  private publish(affected: ReadonlySet<string> | 'all'): void {
    if (affected !== 'all' && affected.size === 0) return;
    this.checks.renew();
    if (affected === 'all') this.findingsByPath.clear();
    else for (const path of affected) this.findingsByPath.delete(path);
    this.on.onAffected(affected);
  }

  setClientSettings(severities: ProjectSettings['rules']): void {
    this.checks.setSeverities(severities);
    this.publish('all');
    this.toolFiles.read();
  }

  async load(): Promise<void> {
    try {
      await Promise.all([this.loader.load(), this.registered.read()]);
    } finally {
      this.publish('all');
      this.toolFiles.read();
    }
  }

  /** Whether the index gets a file from the editor, or from a change that the next `settle` indexes. */
  private isTaken(path: string): boolean {
    return this.texts.openDocuments.has(path) || this.unsettled.has(path);
  }

  private read(index: GrowingIndex, path: string, identity: FileIdentity): void {
    const text = this.texts.readForIndex(path);
    if (typeof text === 'string') index.set(parseConfigFile(path, text, identity));
    else if (text.reason === 'not-found') index.remove(path);
    else index.setUnreadable(path, identity);
  }

  /** Indexes the current text of a file and returns the files whose findings may change. */
  private reindex(path: string, findAffected: typeof affectedFiles): ReadonlySet<string> | 'all' {
    const identity = this.identityOf(path);
    if (identity === undefined) return new Set();
    const file = this.texts.fileAt(path, () => identity);
    return this.growing.replaceAndFind({ path, identity, file }, findAffected);
  }

  private applySettings(): 'all' {
    const settings = this.texts.readSettings();
    this.checks.forgetSettings();
    if (settings.config_dir !== this.growing.settings.config_dir) this.startAnew(settings);
    this.growing.settings = settings;
    this.indexSettingsFile();
    this.readRegistered();
    return 'all';
  }

  private readRegistered(): void {
    this.registered.read().catch(this.onError);
  }

  /** The config folder of the project has changed. */
  private startAnew(settings: ProjectSettings): void {
    this.growing = new GrowingIndex(settings);
    const wasLoaded = this.loader.startAnew();
    this.on.onKinds();
    if (wasLoaded) this.on.onReload();
  }

  private indexSettingsFile(): void {
    this.texts.remember(settingsPath);
    const file = this.texts.fileAt(settingsPath, () => settingsIdentity);
    this.growing.replace({ path: settingsPath, identity: settingsIdentity, file });
  }

  /** The findings of a file, or what must be loaded first. */
  private checkAt(path: string): readonly PlacedFinding[] | Missing {
    const document = this.documentAt(path);
    if (document !== undefined) return this.checks.check(document);
    const problem = this.texts.problemAt(path);
    return problem === undefined || problem.reason === 'not-found' ? [] : placeFindings('', [unreadable(problem)]);
  }
}

/** Files that name agents are checked only when all agents are known by name. */
function namesAgents({ kind }: FileIdentity): boolean {
  return kind === 'orchestration' || kind === 'payload' || kind === 'baseline' || kind === 'system';
}
