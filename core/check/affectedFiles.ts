import type { FileIdentity } from '../config/configFile.js';
import type { MemoryIndex } from '../config/memoryIndex.js';
import type { Reference } from '../config/projectIndex.js';
import { anyLlm } from '../config/references.js';

/** What other files can see of a change to one file. */
export interface Change {
  readonly path: string;
  readonly identity: FileIdentity;
  /** The file has been added or removed, so names of its kind mean something else. */
  readonly isNew: boolean;
  /** For a payload: a case has been added, removed or renamed. */
  readonly hasOtherCases?: boolean;
  /** The file's references before and after the change. */
  readonly references: readonly (readonly Reference[])[];
}

/**
 * The other files whose findings may change; `all` when the file is layered under every other. Call it with the index before and after the
 * change, since a reference to the file may be in only one of them.
 */
export function affectedFiles(index: MemoryIndex, change: Change): ReadonlySet<string> | 'all' {
  const { path, identity } = change;
  if (liesUnderAll(index, identity)) return 'all';
  const affected = new Set<string>();
  if (identity.kind === 'mcp' || identity.kind === 'lock') return withServers(index);
  if (!addUsers(index, identity, affected)) return 'all';
  if (change.isNew && !addNameSakes(index, identity, affected)) return 'all';
  addTargets(index, change, affected);
  if (change.isNew && identity.kind === 'agent') for (const servers of index.ids('mcp').values()) affected.add(servers);
  if (change.isNew || change.hasOtherCases) addBaselines(index, identity, affected);
  // The settings of an environment may override system.json, and a change of system.json affects every environment.
  if (identity.kind === 'system') for (const layer of index.ids('system').values()) affected.add(layer);
  if (change.isNew && identity.kind === 'llm') addUndecided(index, affected);
  if (change.isNew && identity.kind === 'agent') addPolicies(index, affected);
  if (change.isNew && identity.kind === 'orchestration') addFilesThatMayNameIt(index, identity, affected);
  for (const agent of [path, ...affected]) addPrompts(index, agent, affected);
  affected.delete(path);
  return affected;
}

/** Adds the prompts that a file uses, directly or through its persona: a finding about an agent's prompt is reported in the prompt file. */
function addPrompts(index: MemoryIndex, path: string, affected: Set<string>): void {
  for (const { kind, id } of index.referencesFrom(path)) {
    if (kind === 'prompt') addPrompt(index, id, affected);
    const persona = kind === 'persona' ? index.ids('persona').get(id) : undefined;
    for (const inner of persona === undefined ? [] : index.referencesFrom(persona))
      if (inner.kind === 'prompt') addPrompt(index, inner.id, affected);
  }
}

function addPrompt(index: MemoryIndex, id: string, affected: Set<string>): void {
  const path = index.ids('prompt').get(id);
  if (path !== undefined) affected.add(path);
}

/** system.json and the environment in use; other environments affect only the files that refer to them. */
function liesUnderAll({ settings }: MemoryIndex, { kind, name, id }: FileIdentity): boolean {
  return kind === 'settings' || (kind === 'system' && (id === 'system' || name === settings.environment));
}

/** Adds the files that name a file, the files that name those, and so on. False when that is every file. */
function addUsers(index: MemoryIndex, identity: FileIdentity, affected: Set<string>): boolean {
  const queue: FileIdentity[] = [identity];
  for (let at = 0; at < queue.length; at++) {
    for (const user of usersOf(index, queue[at] as FileIdentity)) {
      if (affected.has(user)) continue;
      affected.add(user);
      const userIdentity = index.identityOf(user);
      if (userIdentity === undefined) continue;
      if (liesUnderAll(index, userIdentity)) return false;
      queue.push(userIdentity);
    }
  }
  return true;
}

function usersOf(index: MemoryIndex, { kind, id, name }: FileIdentity): readonly string[] {
  const references = [...index.referencesTo(kind, id)];
  // Payloads and system.json name an agent without its version.
  if (kind === 'agent') references.push(...index.referencesTo(kind, name));
  // A folder of payloads may belong to an orchestration.
  if (kind === 'orchestration')
    references.push(...index.referencesTo('agent', name).filter(({ file, pointer }) => pointer === '' && isPayload(index, file)));
  const users = references.map(({ file }) => file);
  return kind === 'llm' && onlyProfile(index) === index.ids('llm').get(id) ? [...users, ...usersOfLostPersonas(index)] : users;
}

function isPayload(index: MemoryIndex, file: string): boolean {
  return index.identityOf(file)?.kind === 'payload';
}

/** An agent whose persona is missing or unreadable counts as a user of the only llm profile. */
function usersOfLostPersonas(index: MemoryIndex): readonly string[] {
  const lost = index.referencesOfKind('persona').filter(([first]) => first !== undefined && index.value('persona', first.id) === undefined);
  return lost.flat().map(({ file }) => file);
}

/** Adds files whose messages list the names of a kind, or suggest a similar name. False when that is every file. */
function addNameSakes(index: MemoryIndex, { kind, id }: FileIdentity, affected: Set<string>): boolean {
  for (const twin of index.twins(kind, id, '')) affected.add(twin);
  const dangling = index.referencesOfKind(kind).filter(([first]) => first !== undefined && !isKnown(index, first));
  for (const { file } of dangling.flat()) {
    const user = index.identityOf(file);
    affected.add(file);
    if (user !== undefined && liesUnderAll(index, user)) return false;
  }
  return true;
}

function isKnown(index: MemoryIndex, { kind, id }: Reference): boolean {
  if (kind === 'team' || kind === 'task') return true;
  if (id === anyLlm) return index.ids('llm').size > 0;
  return index.ids(kind).has(id) || (kind === 'agent' && index.versions(id).length > 0);
}

/** Adds files that are referred to only before or only after the change: whether anything uses them may have changed. */
function addTargets(index: MemoryIndex, { references: [before = [], after = []] }: Change, affected: Set<string>): void {
  if (before === after) return;
  const keyOf = ({ kind, id }: Reference) => `${kind} ${id}`;
  const [old, current] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  for (const reference of [...before, ...after]) {
    const key = keyOf(reference);
    if (old.has(key) && current.has(key)) continue;
    const { kind, id } = reference;
    if (kind === 'team' || kind === 'task') continue;
    // Servers are named by their keys in one file.
    const name = kind === 'mcp' ? kind : id;
    const path = kind === 'llm' && id === anyLlm ? onlyProfile(index) : index.ids(kind).get(name);
    if (path !== undefined) affected.add(path);
  }
}

/** Agents that name no model use the only profile; with several profiles, their finding lists all of them. */
function addUndecided(index: MemoryIndex, affected: Set<string>): void {
  for (const path of [...index.ids('llm').values()].slice(0, 2)) affected.add(path);
  const undecided = [...index.referencesTo('llm', anyLlm).map(({ file }) => file), ...usersOfLostPersonas(index)];
  for (const path of undecided) {
    affected.add(path);
    const identity = index.identityOf(path);
    if (identity !== undefined) addUsers(index, identity, affected);
  }
}

function onlyProfile(index: MemoryIndex): string | undefined {
  const profiles = index.ids('llm');
  return profiles.size === 1 ? profiles.values().next().value : undefined;
}

/** A section of a system file may be named after one of its tasks, and a folder of payloads after the orchestration. */
function addFilesThatMayNameIt(index: MemoryIndex, { id }: FileIdentity, affected: Set<string>): void {
  for (const system of index.ids('system').values()) affected.add(system);
  for (const { file } of index.referencesTo('agent', id)) if (isPayload(index, file)) affected.add(file);
}

/** Layers with a policy, which may name agents and tools. */
function addPolicies(index: MemoryIndex, affected: Set<string>): void {
  for (const [id, path] of index.ids('system')) if (index.value('system', id)?.policy !== undefined) affected.add(path);
}

/** The verdicts on a case are in the baseline of its agent or orchestration; any verdict may name an llm profile. */
function addBaselines(index: MemoryIndex, { kind, name, agent }: FileIdentity, affected: Set<string>): void {
  const baselines = index.ids('baseline');
  const subject = kind === 'payload' ? agent : kind === 'agent' || kind === 'orchestration' ? name : undefined;
  const paths = kind === 'llm' ? [...baselines.values()] : subject === undefined ? [] : [baselines.get(subject) ?? []].flat();
  for (const path of paths) affected.add(path);
}

/** Every file that names an MCP server (findings about a name depend on all names), and every file layered over one of these. */
function withServers(index: MemoryIndex): ReadonlySet<string> | 'all' {
  const affected = new Set<string>();
  addPolicies(index, affected);
  for (const { path, identity } of index.files()) {
    if (!index.referencesFrom(path).some(({ kind }) => kind === 'mcp')) continue;
    affected.add(path);
    if (liesUnderAll(index, identity) || !addUsers(index, identity, affected)) return 'all';
  }
  return affected;
}
