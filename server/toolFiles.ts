import { settingsPath } from '../core/config/paths.js';
import type { ProjectSettings } from '../core/config/projectSettings.js';
import type { AnyFinding } from '../core/finding.js';
import { groupBy } from '../core/groupBy.js';
import { checkInventory } from '../core/inventory/checkInventory.js';
import { toolFileAt } from '../core/inventory/findToolFiles.js';
import { readInventory, rereadInventory } from '../core/inventory/readInventory.js';
import type { Inventory } from '../core/otherTools/toolFiles.js';
import type { FileSystem } from '../core/ports.js';
import type { ConfigDocument } from './configDocument.js';

export interface ToolFilesInit {
  readonly files: FileSystem;
  /** By project path. */
  readonly openDocuments: ReadonlyMap<string, ConfigDocument>;
  readonly settings: () => Pick<ProjectSettings, 'config_dir' | 'other_tools'>;
  /** The severities that count: those of the client's settings before the project's own. */
  readonly severities: () => ProjectSettings['rules'];
  /** Project paths of folders that are left out: projects inside this one. */
  readonly skip: () => readonly string[];
  /** Called with the files whose findings have changed. */
  readonly onChanged: (paths: ReadonlySet<string>) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * What other tools have in a project, and what is wrong with it. It is few and small files, so a change of one on the disk reads them all again; what
 * is typed reads that file alone.
 */
export class ToolFiles {
  private readonly init: ToolFilesInit;
  private findings: ReadonlyMap<string, readonly AnyFinding[]> = new Map();
  /** Paths of the files that they name. */
  private named: ReadonlySet<string> = new Set();
  private inventory: Inventory = { files: [], exists: () => undefined };
  private isRead = false;
  private isWanted = false;
  /** Files whose text in the editor has changed. */
  private readonly typed = new Set<string>();
  private reading: Promise<void> | undefined;

  constructor(init: ToolFilesInit) {
    this.init = init;
  }

  /** Reads them in the background; once more where that is already under way. */
  read(): void {
    this.isWanted = true;
    this.reading ??= this.readWhileWanted();
  }

  /** Paths of all files that are known, with findings or without. */
  get paths(): readonly string[] {
    return [...this.findings.keys()];
  }

  /** Those of the files as they are now. */
  async findingsAt(path: string): Promise<readonly AnyFinding[]> {
    if (toolFileAt(path) === undefined) return [];
    await this.current();
    return this.findings.get(path) ?? [];
  }

  /** The files as they are now; none where they are not wanted. */
  async current(): Promise<Inventory> {
    if (!this.isRead) this.read();
    await this.reading;
    return this.inventory;
  }

  /** A file has changed, in the editor or on the disk. */
  touch(path: string): void {
    const isFile = path === settingsPath || toolFileAt(path) !== undefined;
    if (!isFile && !this.names(path)) return;
    const isTyped = this.init.openDocuments.has(path) && this.inventory.files.some((file) => file.path === path);
    if (isTyped) this.typed.add(path);
    else this.isWanted = true;
    this.reading ??= this.readWhileWanted();
  }

  /** Whether one of the files names another file, which may have any ending, or one in a folder. */
  names(path: string): boolean {
    return this.named.has(path) || [...this.named].some((file) => file.startsWith(`${path}/`));
  }

  private async readWhileWanted(): Promise<void> {
    while (this.isWanted || this.typed.size > 0) {
      const typed = this.isWanted ? undefined : new Set(this.typed);
      this.isWanted = false;
      this.typed.clear();
      await this.readFiles(typed).catch(this.init.onError);
      this.isRead = true;
    }
    this.reading = undefined;
  }

  /** @param typed the files that have changed. Default: any may have */
  private async readFiles(typed: ReadonlySet<string> | undefined): Promise<void> {
    const { files, openDocuments, settings, severities, skip, onChanged } = this.init;
    const before = this.findings;
    const { config_dir, other_tools } = settings();
    const texts = {
      list: (folder: string) => files.list(folder),
      readText: (path: string) => openDocuments.get(path)?.text ?? files.readText(path),
    };
    if (!other_tools) this.inventory = { files: [], exists: () => undefined };
    else if (typed === undefined) this.inventory = await readInventory(texts, [config_dir, ...skip()]);
    else this.inventory = await rereadInventory(texts, this.inventory, typed);
    const byFile = groupBy(checkInventory(this.inventory, severities()), ({ file }) => file);
    this.named = new Set(this.inventory.files.flatMap(({ facts }) => facts.files ?? []));
    this.findings = new Map(this.inventory.files.map(({ path }) => [path, byFile.get(path) ?? []]));
    const isSame = (path: string) => JSON.stringify(before.get(path) ?? []) === JSON.stringify(this.findings.get(path) ?? []);
    const changed = new Set([...before.keys(), ...this.findings.keys()].filter((path) => !isSame(path)));
    if (changed.size > 0) onChanged(changed);
  }
}
