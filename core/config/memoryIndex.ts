import { groupBy } from '../groupBy.js';
import { isObject, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { compareNatural } from '../names.js';
import { caseNamesOf } from './caseParts.js';
import type { ConfigFile, FileIdentity } from './configFile.js';
import { nothingRegistered, type ProjectIndex, type Reference, type ReferenceKind, type Registered } from './projectIndex.js';
import type { ProjectSettings } from './projectSettings.js';
import { anyLlm, collectReferences } from './references.js';

type ValueKind = 'system' | 'llm' | 'persona' | 'prompt' | 'mcp' | 'lock';
const valueKinds: readonly Kind[] = ['system', 'llm', 'persona', 'prompt', 'mcp', 'lock'];
/** The content of these files names other files; a payload names its agent by its path. */
const mayRefer: readonly Kind[] = ['agent', 'persona', 'system', 'orchestration'];

/** The data kept for one file. `references` is undefined until the file has been read, and while it cannot be read. */
interface Entry {
  readonly identity: FileIdentity;
  readonly value: JsonObject | undefined;
  readonly references: readonly Reference[] | undefined;
  /** Case names of a payload that has been read. */
  readonly cases?: ReadonlySet<string> | undefined;
  /** Its place among all entries. */
  readonly order: number;
}

/** A file of the project, read or not. */
export interface KnownFile {
  readonly path: string;
  readonly identity: FileIdentity;
}

const noReferences: readonly Reference[] = [];

/**
 * A project index that can be kept up to date one file at a time. Data derived from all files (sorted ids, who refers to whom) is computed
 * on first access and again after a change.
 */
export class MemoryIndex implements ProjectIndex {
  settings: ProjectSettings;
  registered: Registered = nothingRegistered;
  private readonly entries = new Map<string, Entry>();
  private readonly byKind = new Map<Kind, Map<string, string>>();
  private readonly sorted = new Map<Kind, ReadonlyMap<string, string>>();
  /** Paths, by the id in lower case. */
  private readonly folded = new Map<Kind, ReadonlyMap<string, readonly string[]>>();
  private named: ReadonlyMap<string, readonly string[]> | undefined;
  /** References to each target, in the order of the files. */
  private targets: Map<string, readonly Reference[]> | undefined;
  /** Number of entries so far, including removed ones. */
  private entered = 0;
  private readonly foreign = new Map<string, FileIdentity>();
  private unread = 0;
  /** Counts changes of values, not of files that are only named. */
  private changes = 0;

  constructor(settings: ProjectSettings) {
    this.settings = settings;
  }

  get revision(): number {
    return this.changes;
  }

  get complete(): boolean {
    return this.unread === 0;
  }

  /** Announces that a file exists, before it has been read. */
  announce(path: string, identity: FileIdentity): void {
    this.put(path, { identity, value: undefined, references: undefined });
  }

  /** Stores the current content of a file. For another tool's file, only the path is kept. */
  set(file: Pick<ConfigFile, 'path' | 'identity' | 'value' | 'foreign'>): void {
    if (file.foreign) {
      this.remove(file.path);
      this.foreign.set(file.path, file.identity);
      return;
    }
    const { kind } = file.identity;
    const value = valueKinds.includes(kind) && isObject(file.value) ? file.value : undefined;
    // The references of a file that does not hold an object are unknown.
    const isBroken = file.value === undefined && mayRefer.includes(kind);
    const references = isBroken ? undefined : collectReferences(file);
    const cases = kind === 'payload' && isObject(file.value) ? caseNamesOf(file.identity.name, file.value) : undefined;
    this.put(file.path, { identity: file.identity, value, references, cases });
  }

  /** A file that exists but cannot be read: its name counts. Its references stay unknown, so the index is not complete. */
  setUnreadable(path: string, identity: FileIdentity): void {
    this.put(path, { identity, value: undefined, references: mayRefer.includes(identity.kind) ? undefined : noReferences });
  }

  /** A folder that cannot be listed: files in it may refer to anything. */
  setUnlisted(): void {
    this.unread += 1;
  }

  remove(path: string): void {
    this.foreign.delete(path);
    const before = this.entries.get(path);
    if (before === undefined) return;
    this.entries.delete(path);
    if (valueKinds.includes(before.identity.kind)) this.changes += 1;
    if (before.references === undefined) this.unread -= 1;
    this.retarget(path, before.references, noReferences);
    const { kind, id } = before.identity;
    const ids = this.unsorted(kind);
    if (ids.get(id) === path) {
      ids.delete(id);
      for (const [other, { identity }] of this.entries) if (identity.kind === kind && identity.id === id) ids.set(id, other);
    }
    this.forgetNames(kind);
  }

  /** Undefined for a file the index does not know. */
  identityOf(path: string): FileIdentity | undefined {
    return this.entries.get(path)?.identity;
  }

  ids(kind: Kind): ReadonlyMap<string, string> {
    let ids = this.sorted.get(kind);
    if (ids === undefined) {
      ids = new Map([...this.unsorted(kind)].sort(([left], [right]) => compareNatural(left, right)));
      this.sorted.set(kind, ids);
    }
    return ids;
  }

  value(kind: ValueKind, id: string): JsonObject | undefined {
    const path = this.unsorted(kind).get(id);
    return path === undefined ? undefined : this.entries.get(path)?.value;
  }

  cases(payload: string): ReadonlySet<string> | undefined {
    const path = this.unsorted('payload').get(payload);
    return path === undefined ? undefined : this.entries.get(path)?.cases;
  }

  versions(agentName: string): readonly string[] {
    if (this.named === undefined) {
      const agents = [...this.unsorted('agent').values()].flatMap((path) => this.entries.get(path)?.identity ?? []);
      const versionsOf = (group: readonly FileIdentity[]) => group.flatMap(({ version }) => version ?? []).sort(compareNatural);
      this.named = new Map([...groupBy(agents, ({ name }) => name)].map(([name, group]) => [name, versionsOf(group)]));
    }
    return this.named.get(agentName) ?? [];
  }

  referencesTo(kind: ReferenceKind, id: string): readonly Reference[] {
    this.targets ??= this.collectTargets();
    const direct = this.targets.get(`${kind} ${id}`) ?? noReferences;
    const profiles = kind === 'llm' ? this.ids('llm') : undefined;
    if (profiles?.size !== 1 || !profiles.has(id)) return direct;
    return [...direct, ...(this.targets.get(`llm ${anyLlm}`) ?? noReferences)];
  }

  /** References to targets of a kind, grouped by target. */
  referencesOfKind(kind: ReferenceKind): readonly (readonly Reference[])[] {
    this.targets ??= this.collectTargets();
    return [...this.targets.values()].filter((references) => references[0]?.kind === kind);
  }

  /** Which files this one names; empty before it has been read. */
  referencesFrom(path: string): readonly Reference[] {
    return this.entries.get(path)?.references ?? noReferences;
  }

  /** Whether the references of this file are unknown: it has not been read, or cannot be, or is broken. */
  isUnread(path: string): boolean {
    const entry = this.entries.get(path);
    return entry !== undefined && entry.references === undefined;
  }

  twins(kind: Kind, id: string, path: string): readonly string[] {
    const folded = this.folded.get(kind) ?? this.foldedNames(kind);
    this.folded.set(kind, folded);
    return (folded.get(id.toLowerCase()) ?? []).filter((other) => other !== path);
  }

  private foldedNames(kind: Kind): ReadonlyMap<string, readonly string[]> {
    const paths = [...this.entries].flatMap(([path, { identity }]) => (identity.kind === kind ? [[identity.id, path] as const] : []));
    const groups = groupBy(paths, ([id]) => id.toLowerCase());
    return new Map([...groups].map(([id, group]) => [id, group.map(([, path]) => path)]));
  }

  /** The project's own files, in the order they were announced. */
  files(): readonly KnownFile[] {
    return [...this.entries].map(([path, { identity }]) => ({ path, identity }));
  }

  /** Other tools' files in places of this project's files. */
  foreignFiles(): readonly KnownFile[] {
    return [...this.foreign].map(([path, identity]) => ({ path, identity }));
  }

  private put(path: string, entry: Omit<Entry, 'order'>): void {
    this.foreign.delete(path);
    if (valueKinds.includes(entry.identity.kind)) this.changes += 1;
    const before = this.entries.get(path);
    if (before === undefined) {
      const ids = this.unsorted(entry.identity.kind);
      const rival = ids.get(entry.identity.id);
      // Of a prompt in two forms, which is an error, the JSON file counts, in whichever order they are found.
      if (rival === undefined || path < rival) ids.set(entry.identity.id, path);
      this.forgetNames(entry.identity.kind);
    }
    const order = before?.order ?? this.entered++;
    this.unread += Number(entry.references === undefined) - Number(before !== undefined && before.references === undefined);
    // Most edits of a file change no reference: who refers to whom need not be computed again.
    const kept = before?.references;
    const isSame = kept !== undefined && entry.references !== undefined && sameReferences(kept, entry.references);
    this.entries.set(path, isSame ? { ...entry, references: kept, order } : { ...entry, order });
    if (!isSame) this.retarget(path, kept, entry.references);
  }

  /** Updates `targets` for one file, whose entry is already in place. */
  private retarget(path: string, before: readonly Reference[] = noReferences, after: readonly Reference[] = noReferences): void {
    const { targets } = this;
    if (targets === undefined) return;
    const order = this.entries.get(path)?.order ?? 0;
    const isLater = ({ file }: Reference) => (this.entries.get(file)?.order ?? 0) > order;
    for (const key of new Set([...before, ...after].map(targetOf))) {
      const others = (targets.get(key) ?? noReferences).filter(({ file }) => file !== path);
      const referencesHere = after.filter((reference) => targetOf(reference) === key);
      const place = referencesHere.length === 0 ? -1 : others.findIndex(isLater);
      targets.set(key, place < 0 ? [...others, ...referencesHere] : [...others.slice(0, place), ...referencesHere, ...others.slice(place)]);
    }
  }

  private unsorted(kind: Kind): Map<string, string> {
    let ids = this.byKind.get(kind);
    if (ids === undefined) {
      ids = new Map();
      this.byKind.set(kind, ids);
    }
    return ids;
  }

  private forgetNames(kind: Kind): void {
    this.sorted.delete(kind);
    this.folded.delete(kind);
    if (kind === 'agent') this.named = undefined;
  }

  private collectTargets(): Map<string, readonly Reference[]> {
    return groupBy(
      [...this.entries.values()].flatMap(({ references = noReferences }) => references),
      targetOf,
    );
  }
}

function targetOf({ kind, id }: Reference): string {
  return `${kind} ${id}`;
}

function sameReferences(left: readonly Reference[], right: readonly Reference[]): boolean {
  const isSame = ({ kind, id, pointer }: Reference, other: Reference | undefined) =>
    kind === other?.kind && id === other.id && pointer === other.pointer;
  return left.length === right.length && left.every((reference, at) => isSame(reference, right[at]));
}
