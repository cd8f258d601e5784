import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import { listConfigFiles, unreadable } from '../core/config/loadProjectIndex.js';
import { type KnownFile, MemoryIndex } from '../core/config/memoryIndex.js';
import { parseConfigFile } from '../core/config/parseConfigFile.js';
import { identifyFile, settingsIdentity, settingsPath } from '../core/config/paths.js';
import { placeFindings } from '../core/config/placeFindings.js';
import type { Reference } from '../core/config/projectIndex.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import { defaultSettings, readSettings } from '../core/config/readSettings.js';
import type { Finding, PlacedFinding } from '../core/finding.js';

import { FileProblem, type FileSystem } from '../core/ports.js';
import { type Checker, createChecker } from '../core/rules/checker.js';
import { withSchemas } from '../core/rules/checkFile.js';
import { rules } from '../core/rules/index.js';
import { modelsOf } from '../core/rules/projectCheck.js';
import type { RuleContext } from '../core/rules/rule.js';
import { createRuleContext } from '../core/rules/ruleContext.js';
import { affectedFiles } from './affectedFiles.js';
import type { ServiceHost } from './host.js';
import type { Pacer } from './pacer.js';
import { ConfigDocument, maxTextBytes } from './textDocument.js';
import type { Project } from './workspace.js';

/** The index of a project whose files are still being found. */
class GrowingIndex extends MemoryIndex {
  isListed = false;

  override get complete(): boolean {
    return this.isListed && super.complete;
  }
}

/** So many files changed at once (another branch, say) concern everybody without asking for each. */
const manyPaths = 100;

const noFindings: readonly PlacedFinding[] = [];

/** How far the files of a project are known. */
const stages = ['new', 'layers', 'names', 'contents'] as const;
export type Stage = (typeof stages)[number];

export interface ProjectInit {
  readonly root: string;
  readonly host: ServiceHost;
  /** Severities of the client's settings, which count before the project's own. */
  readonly severities: ProjectSettings['rules'];
  /** Open documents of this project by project path. */
  readonly openDocuments: ReadonlyMap<string, ConfigDocument>;
  /** Told which files' findings may have changed. */
  readonly onAffected: (project: ProjectState, paths: ReadonlySet<string> | 'all') => void;
  /** Asked for another `load`. */
  readonly onReload: (project: ProjectState) => void;
  /** Told that the config folder is another one: whoever makes the open documents makes them again. */
  readonly onKinds: () => void;
}

/** One project: its index, kept in step with open documents and the disk, and what has been found in its files. */
export class ProjectState implements Project {
  readonly root: string;
  readonly files: FileSystem;
  private readonly host: ServiceHost;
  private readonly openDocuments: ReadonlyMap<string, ConfigDocument>;
  private readonly on: Pick<ProjectInit, 'onAffected' | 'onReload' | 'onKinds'>;
  private severities: ProjectSettings['rules'];
  private growing: GrowingIndex;
  private stage: Stage = 'new';
  private readonly waiting: { readonly stage: Stage; readonly resolve: () => void }[] = [];
  /** Paths whose text may be another than the index knows. */
  private readonly unsettled = new Set<string>();
  private readonly found = new Map<string, readonly PlacedFinding[]>();
  private checker: Checker | undefined;
  private context: RuleContext | undefined;
  private schemas: Pick<RuleContext, 'schemas' | 'patterns'> | undefined;
  private models: RuleContext['models'] | undefined;
  /** Folders that cannot be listed and links that leave the project. */
  private listingFaults: Finding[] = [];

  constructor({ root, host, severities, openDocuments, ...on }: ProjectInit) {
    this.root = root;
    this.host = host;
    this.files = host.openFiles(root);
    this.severities = severities;
    this.openDocuments = openDocuments;
    this.on = on;
    this.growing = new GrowingIndex(this.readSettings());
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
    this.context ??= this.createContext();
    return this.context;
  }

  documentAt(path: string): ConfigDocument | undefined {
    const open = this.openDocuments.get(path);
    if (open !== undefined) return open;
    const text = this.readDisk(path);
    if (typeof text !== 'string') return undefined;
    return new ConfigDocument({ uri: this.uriOf(path), version: null, text, path, identity: this.identityOf(path) });
  }

  uriOf(path: string): string {
    return this.openDocuments.get(path)?.uri ?? this.host.toUri(this.root.endsWith('/') ? this.root + path : `${this.root}/${path}`);
  }

  openVersion(path: string): number | null {
    return this.openDocuments.get(path)?.version ?? null;
  }

  identityOf(path: string): FileIdentity | undefined {
    return identifyFile(path, this.growing.settings);
  }

  knownFiles(): readonly KnownFile[] {
    return this.index.files();
  }

  get unlisted(): readonly string[] {
    return this.listingFaults.map(({ file }) => file);
  }

  variableNames(): readonly string[] {
    return this.host.environment.names?.() ?? [];
  }

  async findings(path: string): Promise<readonly PlacedFinding[]> {
    this.settle();
    const identity = this.identityOf(path);
    if (identity === undefined) return this.faultsOfListing(path);
    await this.reached(namesAgents(identity) ? 'names' : 'layers');
    for (;;) {
      this.settle();
      const known = this.found.get(path);
      if (known !== undefined) return known;
      const found = this.check(path);
      if (found !== undefined) {
        this.found.set(path, found);
        return found;
      }
      const { schemas, patterns } = await withSchemas(this.ruleContext);
      this.schemas = { schemas, patterns };
      this.context = undefined;
    }
  }

  /** Known files in a folder. */
  filesBelow(folder: string): readonly string[] {
    const prefix = `${folder}/`;
    return this.growing.files().flatMap(({ path }) => (path.startsWith(prefix) ? [path] : []));
  }

  /** The text of a file is another now: an open document has changed, or the file on disk has. Nothing is read before somebody asks. */
  touch(path: string): void {
    this.unsettled.add(path);
  }

  /** Brings the index up to date and tells whose findings that concerns. */
  settle(): void {
    while (this.unsettled.size > 0) this.settleOnce();
  }

  private settleOnce(): void {
    const paths = [...this.unsettled];
    this.unsettled.clear();
    const asks = paths.length <= manyPaths;
    const affected = new Set(paths);
    let all = false;
    for (const path of paths) {
      const concerned = path === settingsPath ? this.takeSettings() : this.take(path, asks);
      if (concerned === 'all') all = true;
      else for (const other of concerned) affected.add(other);
    }
    this.context = undefined;
    if (all) this.found.clear();
    else for (const path of affected) this.found.delete(path);
    this.on.onAffected(this, all ? 'all' : affected);
  }

  setSeverities(severities: ProjectSettings['rules']): void {
    this.severities = severities;
    this.checker = undefined;
    this.found.clear();
    this.on.onAffected(this, 'all');
  }

  /** Resolves when the files are known so far. */
  reached(stage: Stage): Promise<void> | undefined {
    if (stages.indexOf(this.stage) >= stages.indexOf(stage)) return undefined;
    return new Promise((resolve) => {
      this.waiting.push({ stage, resolve });
    });
  }

  /** Finds and reads the files, those first that lie under others. Begins again when agentstack.json names another folder meanwhile. */
  async load(pacer: Pacer): Promise<void> {
    for (;;) {
      const index = this.growing;
      const isCurrent = () => index === this.growing;
      await this.list(index, (kind) => !lateKinds.includes(kind), pacer, { thenRead: true });
      if (!isCurrent()) continue;
      this.reach('layers');
      // Open agents can be answered now.
      await this.host.nextTurn();
      await this.list(index, (kind) => lateKinds.includes(kind), pacer, { thenRead: false });
      if (!isCurrent()) continue;
      index.isListed = true;
      this.reach('names');
      for (const { path, identity } of index.files()) {
        if (!isCurrent()) break;
        if (lateKinds.includes(identity.kind)) this.read(index, path, identity);
        await pacer.pause();
      }
      if (isCurrent()) break;
    }
    this.context = undefined;
    this.found.clear();
    this.reach('contents');
    this.on.onAffected(this, 'all');
  }

  private async list(
    index: GrowingIndex,
    isWanted: (kind: FileIdentity['kind']) => boolean,
    pacer: Pacer,
    { thenRead }: { readonly thenRead: boolean },
  ): Promise<void> {
    const report = (finding: Finding) => this.listingFaults.push(finding);
    for await (const files of listConfigFiles(this.files, index.settings, { isWanted, report })) {
      for (const { path, identity } of files) {
        if (this.isTaken(index, path)) continue;
        if (thenRead) this.read(index, path, identity);
        else index.announce(path, identity);
        await pacer.pause();
        if (index !== this.growing) return;
      }
      await pacer.pause();
    }
  }

  /** What an open document says counts, and is in the index already or will be with the next `settle`. */
  private isTaken(index: MemoryIndex, path: string): boolean {
    return this.openDocuments.has(path) || this.unsettled.has(path) || index.identityOf(path) !== undefined;
  }

  private read(index: MemoryIndex, path: string, identity: FileIdentity): void {
    if (this.openDocuments.has(path) || this.unsettled.has(path)) return;
    const text = this.readDisk(path);
    if (typeof text === 'string') index.set(parseConfigFile(path, text, identity));
    else if (text.reason === 'not-found') index.remove(path);
    else index.setUnreadable(path, identity);
  }

  private reach(stage: Stage): void {
    this.stage = stage;
    this.context = undefined;
    const reached = stages.indexOf(stage);
    const ready = this.waiting.filter((wait) => stages.indexOf(wait.stage) <= reached);
    for (const wait of ready) {
      this.waiting.splice(this.waiting.indexOf(wait), 1);
      wait.resolve();
    }
  }

  /** Takes over what a file says now; returns whom that concerns, which without being asked is everybody. */
  private take(path: string, asks: boolean): ReadonlySet<string> | 'all' {
    const index = this.growing;
    const identity = this.identityOf(path);
    if (identity === undefined) return new Set();
    const wasKnown = index.identityOf(path) !== undefined;
    const before = index.referencesFrom(path);
    const concerned = new Set<string>();
    const ask = (isNew: boolean, references: readonly (readonly Reference[])[]) => {
      if (!asks) return true;
      const files = affectedFiles(index, { path, identity, isNew, references });
      if (files === 'all') return true;
      for (const file of files) concerned.add(file);
      return false;
    };
    const document = this.documentAt(path);
    const config = document?.config;
    const present = document !== undefined || this.fileProblem(path)?.reason !== 'not-found';
    const isNew = wasKnown !== (present && config?.foreign !== true);
    // Who refers to a file that goes is known before, who refers to one that comes after.
    let all = isNew && wasKnown ? ask(true, [before, []]) : false;
    if (config !== undefined) index.set(config);
    else if (present) index.setUnreadable(path, identity);
    else index.remove(path);
    all = ask(isNew, [before, index.referencesFrom(path)]) || all;
    return all ? 'all' : concerned;
  }

  private takeSettings(): 'all' {
    const settings = this.readSettings();
    this.checker = undefined;
    this.models = undefined;
    if (settings.config_dir !== this.growing.settings.config_dir) this.startAnew(settings);
    this.growing.settings = settings;
    this.takeSettingsFile();
    return 'all';
  }

  /** Other files are the project's now. */
  private startAnew(settings: ProjectSettings): void {
    const wasLoaded = this.stage === 'contents';
    this.growing = new GrowingIndex(settings);
    this.listingFaults = [];
    this.stage = 'new';
    this.on.onKinds();
    if (wasLoaded) this.on.onReload(this);
  }

  private takeSettingsFile(): void {
    const config = this.documentAt(settingsPath)?.config;
    if (config !== undefined) this.growing.set(config);
    else if (this.fileProblem(settingsPath)?.reason === 'not-found') this.growing.remove(settingsPath);
    else this.growing.setUnreadable(settingsPath, settingsIdentity);
  }

  private readSettings(): ProjectSettings {
    const open = this.openDocuments.get(settingsPath);
    const text = open?.text ?? this.readDisk(settingsPath);
    if (typeof text !== 'string' || open?.isTooLarge) return defaultSettings;
    return readSettings(open?.config ?? parseConfigFile(settingsPath, text, settingsIdentity));
  }

  /** Everything found in a file; undefined when the schema compiler must be there first. */
  private check(path: string): readonly PlacedFinding[] | undefined {
    const document = this.documentAt(path);
    if (document === undefined) {
      const problem = this.fileProblem(path);
      return problem === undefined || problem.reason === 'not-found' ? [] : placeFindings('', [unreadable(problem)]);
    }
    if (document.isTooLarge) return placeFindings('', [unreadable(tooLarge(path))]);
    const file = document.config;
    if (file === undefined) return [];
    this.checker ??= createChecker(rules, { rules: { ...this.growing.settings.rules, ...this.severities } });
    const found = this.checker.check(file, this.ruleContext);
    if (found === undefined) return undefined;
    return found.length === 0 ? noFindings : placeFindings(document.text, found, (other) => this.documentAt(other)?.text);
  }

  private createContext(): RuleContext {
    const { environment } = this.host;
    const index = this.growing;
    this.models ??= modelsOf(index);
    const agents = new Map<string, ConfigFile | undefined>();
    const agent = (name: string, version: string) => {
      const id = `${name}@${version}`;
      if (!agents.has(id)) agents.set(id, this.agentFile(id));
      return agents.get(id);
    };
    const context = createRuleContext({ project: index, models: this.models, variables: environment, agent });
    return this.schemas === undefined ? context : { ...context, ...this.schemas };
  }

  private agentFile(id: string): ConfigFile | undefined {
    const path = this.growing.ids('agent').get(id);
    const config = path === undefined ? undefined : this.documentAt(path)?.config;
    return config?.foreign ? undefined : config;
  }

  private faultsOfListing(path: string): readonly PlacedFinding[] {
    return placeFindings(
      '',
      this.listingFaults.filter(({ file }) => file === path),
    );
  }

  private readDisk(path: string): string | FileProblem {
    try {
      const text = this.files.readText(path);
      if (typeof text === 'string') return text;
      throw new Error('The language service needs files that are read at once');
    } catch (error) {
      if (error instanceof FileProblem) return error;
      throw error;
    }
  }

  private fileProblem(path: string): FileProblem | undefined {
    if (this.openDocuments.has(path)) return undefined;
    const text = this.readDisk(path);
    return typeof text === 'string' ? undefined : text;
  }
}

/** Kinds of which there may be very many, and which lie under nothing: listed when all others have been read. */
const lateKinds: readonly FileIdentity['kind'][] = ['agent', 'orchestration', 'payload'];

/** So agents must be known by name before such a file is checked. */
function namesAgents({ kind }: FileIdentity): boolean {
  return kind === 'orchestration' || kind === 'payload' || kind === 'system';
}

function tooLarge(path: string): FileProblem {
  const limit = maxTextBytes / 1024 / 1024;
  return new FileProblem('too-large', path, `${path} is not checked: it has more than ${limit} MB, the most a config file may have.`);
}
