import type { ConfigFile } from '../config/configFile.js';
import { listAgentFiles } from '../config/listConfigFiles.js';
import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import type { KnownFile, MemoryIndex } from '../config/memoryIndex.js';
import { identifyFile } from '../config/paths.js';
import type { Reference } from '../config/projectIndex.js';
import { collectReferences } from '../config/references.js';
import type { Finding } from '../finding.js';
import type { FileSystem, MaybePromise } from '../ports.js';
import { ProjectCheck, type ProjectCheckOptions, type Taken } from './projectCheck.js';
import { namesAgents } from './readAgentsOf.js';
import { foldersOf, type SharedFolders, type SharedPart, separator, takeNext } from './sharedFolders.js';

/** What a helper does: lists and checks the folders it gets hold of. */
export async function checkPart(options: ProjectCheckOptions, shared: SharedFolders): Promise<SharedPart> {
  const folders = foldersOf(shared);
  const part = new PartCheck(options, await loadProjectIndex(options.files, { agents: [] }));
  for (let at = takeNext(shared); at < folders.length; at = takeNext(shared)) {
    const taking = part.take(folders[at] as string);
    if (taking !== undefined) await taking;
  }
  return part.result();
}

/**
 * Checks agents folder by folder, and keeps no index of them: memory is what a thread costs most. What takes knowing other agents (a plan
 * that names some, names that differ in letter case only) is left for later.
 */
export class PartCheck {
  private readonly files: FileSystem;
  private readonly check: ProjectCheck;
  private readonly afterEach: () => MaybePromise<void>;
  private readonly listed: string[] = [];
  private readonly gone: string[] = [];
  private readonly unreadable: string[] = [];
  private readonly twins: string[] = [];
  private readonly callers: string[] = [];
  /** Of each target the first, by kind and id. */
  private readonly references = new Map<Reference['kind'], Map<string, Reference>>();
  private readonly unlisted: Finding[] = [];
  /** How many files have been found so far. */
  found = 0;
  private readonly report = (finding: Finding): unknown => this.unlisted.push(finding);

  /**
   * @param index everything but agents
   * @param afterEach called after each file; waited for where it asks for that
   */
  constructor(options: ProjectCheckOptions, index: LoadedIndex, afterEach: () => MaybePromise<void> = () => undefined) {
    this.files = options.files;
    this.afterEach = afterEach;
    this.check = new ProjectCheck(options, index, { remember: (file) => this.remember(file), isForLater: namesAgents });
  }

  /**
   * Lists a folder of agent files and checks what is in it. A promise only where something has to be waited for.
   *
   * @param hasTwin whether the folder's name differs from another's in letter case only
   */
  take(folder: string, { hasTwin = false } = {}): MaybePromise<void> {
    const files = listAgentFiles(this.files, folder, this.report);
    const takeListed = (listed: readonly KnownFile[]) => {
      this.found += listed.length;
      this.listed.push(shortList(folder, listed));
      if (!hasTwin && !haveTwins(listed)) return this.takeFiles(listed);
      for (const { path } of listed) this.twins.push(path);
    };
    return files instanceof Promise ? files.then(takeListed) : takeListed(files);
  }

  result(): SharedPart {
    const { findings, count } = this.check;
    const { listed, gone, unreadable, twins, callers, unlisted } = this;
    const references = [...this.references.values()].flatMap((named) => [...named.values()]);
    return { findings, count, listed, gone, unreadable, twins, callers, references, unlisted };
  }

  private takeFiles(files: readonly KnownFile[], from = 0): MaybePromise<void> {
    for (let at = from; at < files.length; at++) {
      const pause = this.takeFile(files[at] as KnownFile);
      if (pause !== undefined) return pause.then(() => this.takeFiles(files, at + 1));
    }
  }

  private takeFile({ path, identity }: KnownFile): MaybePromise<void> {
    const taking = this.check.take(path, identity, true);
    if (typeof taking === 'string') {
      this.note(path, taking);
      return this.afterEach();
    }
    return taking.then((taken) => {
      this.note(path, taken);
      return this.afterEach();
    });
  }

  private note(path: string, taken: Taken): void {
    if (taken === 'gone') this.gone.push(path);
    if (taken === 'unreadable') this.unreadable.push(path);
    if (taken === 'later') this.callers.push(path);
  }

  private remember(file: ConfigFile): void {
    if (file.foreign || file.value === undefined) return;
    for (const reference of collectReferences(file)) {
      let named = this.references.get(reference.kind);
      if (named === undefined) {
        named = new Map();
        this.references.set(reference.kind, named);
      }
      // One of many that say the same is enough.
      if (!named.has(reference.id)) named.set(reference.id, reference);
    }
  }
}

/** Whether versions of an agent differ in letter case only, or may do so from those of another: `A/v1@v2` and `a@v1/v2` have the same id. */
function haveTwins(files: readonly KnownFile[]): boolean {
  const versions = files.map(({ identity: { version = '' } }) => version);
  const folded = versions.map((version) => version.toLowerCase());
  // Names in a folder differ, and nearly all versions are written in small letters.
  if (folded.some((version, at) => version !== versions[at]) && new Set(folded).size < files.length) return true;
  return versions.some((version) => version.includes('@'));
}

/** A folder and the names of files in it as one text: of tens of thousands of files, whole paths would be most of what is kept. */
function shortList(folder: string, files: readonly KnownFile[]): string {
  return [folder, ...files.map(({ path }) => path.slice(folder.length + 1))].join(separator);
}

function pathsIn(listed: string): readonly string[] {
  const [folder, ...names] = listed.split(separator);
  return names.map((name) => `${folder}/${name}`);
}

/** Adds what was found out about agents to an index that knows all else. */
export function takeOver(parts: readonly SharedPart[], index: MemoryIndex): void {
  const identified = (path: string): KnownFile => {
    const identity = identifyFile(path, index.settings);
    if (identity === undefined) throw new Error(`${path} is no agent file`);
    return { path, identity };
  };
  const named = new Map<string, Reference[]>();
  for (const reference of parts.flatMap(({ references }) => references)) {
    const before = named.get(reference.file);
    if (before === undefined) named.set(reference.file, [reference]);
    else before.push(reference);
  }
  const unknown = parts.flatMap(({ unreadable, twins, callers }) => [...unreadable, ...twins, ...callers]);
  for (const [path, references] of named) index.setReferences(path, identified(path).identity, references);
  for (const path of unknown) index.setUnreadable(path, identified(path).identity);
  index.setSilentAgents(() => {
    const others = new Set([...named.keys(), ...unknown, ...parts.flatMap(({ gone }) => gone)]);
    const paths = parts.flatMap(({ listed }) => listed.flatMap(pathsIn));
    return paths.filter((path) => !others.has(path)).map(identified);
  });
}
