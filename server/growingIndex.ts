import type { affectedFiles } from '../core/check/affectedFiles.js';
import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import { hidesFiles } from '../core/config/listConfigFiles.js';
import { MemoryIndex } from '../core/config/memoryIndex.js';
import { isStray } from '../core/config/strayFiles.js';
import type { Finding } from '../core/finding.js';
import type { Kind } from '../core/kinds.js';

/** A file as it is now; undefined when it does not exist. */
export interface IndexedFile {
  readonly path: string;
  readonly identity: FileIdentity;
  readonly file: ConfigFile | 'unreadable' | undefined;
}

/** Kinds that a rule reports when nothing uses them. */
const usableKinds: readonly Kind[] = ['llm', 'persona', 'prompt', 'mcp'];

/** The index of a project whose files are still being discovered. */
export class GrowingIndex extends MemoryIndex {
  isListed = false;
  /** Folders that cannot be listed, links that leave the project, and unread files. */
  faults: readonly Finding[] = [];

  /** A folder that cannot be listed may contain references to anything. */
  override get complete(): boolean {
    return this.isListed && !this.faults.some(hidesFiles) && super.complete;
  }

  replace({ path, identity, file }: IndexedFile): void {
    if (file === undefined) this.remove(path);
    else if (file === 'unreadable') this.setUnreadable(path, identity);
    else this.set(file);
  }

  /** Replaces a file and returns the other files whose findings may change, as `findAffected` says. */
  replaceAndFind(changed: IndexedFile, findAffected: typeof affectedFiles): ReadonlySet<string> | 'all' {
    const { path, identity, file } = changed;
    const wasIndexed = this.identityOf(path) !== undefined;
    const isNew = wasIndexed !== (file === 'unreadable' || (file !== undefined && file.foreign === undefined));
    const referencesBefore = this.referencesFrom(path);
    const casesBefore = identity.kind === 'payload' ? this.cases(identity.id) : undefined;
    const change = { path, identity, isNew };
    // References to a file that is removed are known before the change, references to a new file after it.
    const earlier = isNew && wasIndexed ? findAffected(this, { ...change, references: [referencesBefore, []] }) : new Set<string>();
    this.replace(changed);
    const hasOtherCases = identity.kind === 'payload' && !isSameSet(casesBefore, this.cases(identity.id));
    const later = findAffected(this, { ...change, references: [referencesBefore, this.referencesFrom(path)], hasOtherCases });
    if (earlier === 'all' || later === 'all') return 'all';
    return earlier.size === 0 ? later : new Set([...earlier, ...later]);
  }

  /** Files that a rule reports when nothing uses them, as long as every file can be read. */
  usablePaths(): readonly string[] {
    return usableKinds.flatMap((kind) => [...this.ids(kind).values()]);
  }

  /** Replaces the faults in a folder (`''` is the project) and returns the files whose findings may change. */
  replaceFaults(folder: string, faults: readonly Finding[]): ReadonlySet<string> {
    const isInFolder = ({ file }: Finding) => folder === '' || file === folder || file.startsWith(`${folder}/`);
    const { complete, faults: before } = this;
    if (JSON.stringify(faults) === JSON.stringify(before.filter(isInFolder))) return new Set();
    this.faults = [...before.filter((fault) => !isInFolder(fault)), ...faults];
    const affected = [...before, ...faults].map(({ file }) => file);
    return new Set(complete === this.complete ? affected : [...affected, ...this.usablePaths()]);
  }

  /** Whether the file, or one beside it, is reported as an unread file, such as the same config in YAML. */
  hasFaultBeside(path: string): boolean {
    const folder = folderOf(path);
    return isStray(path, this.settings) || this.faults.some(({ file }) => folderOf(file) === folder);
  }
}

function isSameSet(left: ReadonlySet<string> | undefined, right: ReadonlySet<string> | undefined): boolean {
  return left === right || (left?.size === right?.size && [...(left ?? [])].every((name) => right?.has(name)));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
