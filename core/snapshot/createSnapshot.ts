import { loopLimits } from '../config/defaults.js';
import { settingsPath } from '../config/paths.js';
import { type Json, type JsonObject, pointerOf } from '../json.js';
import type { FrozenTool } from './agentTools.js';
import { calledBy } from './calledAgents.js';
import { canonicalJson } from './canonicalJson.js';
import type { EffectiveLlm, Origin } from './effective.js';
import { withKeyOrder } from './keyOrder.js';
import type { Path } from './layering.js';
import { forEachLeaf, type OriginSource } from './origins.js';
import type { ResolvedOrchestration } from './resolveOrchestration.js';
import { parseOrigins } from './snapshotOrigins.js';
import type { SnapshotValue } from './snapshotValue.js';
import type { CallOverrides, ResolvedAgent } from './types.js';

/** A frozen effective config, as text and by name. */
export interface Snapshot {
  readonly value: SnapshotValue;
  /** Canonical JSON of `value`. */
  readonly text: string;
  /** SHA-256 of the UTF-8 bytes of `text`, 64 lower-case hexadecimal digits: the name of the snapshot. */
  readonly hash: string;
  /** Canonical JSON: pointer of every leaf of the snapshot but `key_order` to `{file, pointer, layer}`. No part of the hash. */
  readonly origins_text: string;
  /** The overrides of the call it was made for, so that it can be made again. Absent if there were none, or they are unknown. */
  readonly overrides?: CallOverrides;
}

/** The subject of a snapshot. */
export type SnapshotSubject = AgentSnapshotRequest | OrchestrationSnapshotRequest;

export type SnapshotRequest = SnapshotSubject & {
  /** SHA-256 of the UTF-8 bytes of a text, in lower-case hexadecimal digits. */
  readonly sha256: (text: string) => string;
};

export interface AgentSnapshotRequest {
  readonly kind: 'agent';
  readonly resolved: ResolvedAgent;
  /** The agents that its plan calls, directly or indirectly (`resolveCalled`). Default: none. */
  readonly called?: ReadonlyMap<string, ResolvedAgent>;
}

export interface OrchestrationSnapshotRequest {
  readonly kind: 'orchestration';
  readonly resolved: ResolvedOrchestration;
}

/**
 * Freezes what a run will use: every effective agent with its template and examples, how they reach their models, their servers and skills, the
 * orchestration, and nothing else. Same files, environment and overrides give the same bytes on every machine. Holds no secret and no path
 * outside the project.
 * @throws Error when the config holds what looks like a secret, or agents in it were not read: a caller must refuse such a config before
 */
export function createSnapshot(request: SnapshotRequest): Snapshot {
  const { kind, resolved, sha256 } = request;
  const members = membersOf(request);
  if ([resolved, ...members.map(({ agent }) => agent)].some(holdsSecret))
    throw new Error('A config with a secret in it was about to be written down.');
  const missing = kind === 'orchestration' ? resolved.unread.map(({ id }) => id) : missingIn(resolved, request.called ?? new Map());
  if (missing.length > 0) throw new Error(`A snapshot was about to be made without ${missing.join(', ')}.`);
  const value = contentOf(request, members);
  const text = canonicalJson(value as unknown as Json);
  return new FrozenSnapshot({ value, text, hash: sha256(text), ...overridesOf(members) }, () => originsOf(value, members, request));
}

/** Where the values of a snapshot come from. Of one that was just made, without writing and parsing their text. */
export function originsIn(snapshot: Pick<Snapshot, 'origins_text'>): ReadonlyMap<string, Origin> {
  return snapshot instanceof FrozenSnapshot ? snapshot.origins() : parseOrigins(snapshot.origins_text);
}

/** The snapshot of a config that must not be frozen in its present state: to be shown with its secrets covered, and never stored. */
export function outlineSnapshot(request: SnapshotSubject): Pick<Snapshot, 'value' | 'origins_text'> {
  const members = membersOf(request);
  const value = contentOf(request, members);
  return { value, origins_text: textOf(originsOf(value, members, request)) };
}

function contentOf(request: SnapshotSubject, members: readonly Member[]): SnapshotValue {
  const { kind, resolved } = request;
  const content: SnapshotValue = {
    format: 1,
    kind,
    ...(kind === 'agent' ? { name: resolved.config.agent_name, version: resolved.config.version } : { name: resolved.name }),
    environment: resolved.environment_name,
    agents: toObject(members.map(({ instance, agent }) => [instance, agent.config])),
    llms: toObject(members.flatMap(({ llm, ownsLlm, agent }) => (ownsLlm ? [[llm, agent.llm]] : []))),
    servers: toObject(members.flatMap(({ agent }) => Object.entries(agent.servers))),
    ...skillsOf(members),
    ...modelsOf(members),
    ...policyOf(members),
    ...(kind === 'orchestration' && { orchestration: resolved.frozen }),
  };
  return withKeyOrder(content);
}

/** One agent of a snapshot. */
interface Member {
  readonly instance: string;
  readonly agent: ResolvedAgent;
  /** Its key in `llms`, and whether it is the agent that adds the entry. */
  readonly llm: string;
  readonly ownsLlm: boolean;
}

/** The agent itself before those it calls; tasks and called agents by name, so that the order in files has no effect. */
function membersOf(request: SnapshotSubject): readonly Member[] {
  const agents: readonly (readonly [string, ResolvedAgent])[] =
    request.kind === 'agent' ? [[request.resolved.config.agent_name, request.resolved]] : [];
  const others = request.kind === 'agent' ? (request.called ?? []) : request.resolved.agents;
  const sorted = [...others].sort(([left], [right]) => (left < right ? -1 : 1));
  const entries = new Map<string, EffectiveLlm>();
  const texts = new Map<EffectiveLlm, string>();
  return [...agents, ...sorted].map(([instance, agent]) => {
    const { llm } = agent;
    const shared = llm.llm_id === undefined ? undefined : entries.get(llm.llm_id);
    const ownsLlm = shared === undefined || !isSame(shared, llm, texts);
    const key = llm.llm_id === undefined || (shared !== undefined && ownsLlm) ? `@${instance}` : llm.llm_id;
    if (ownsLlm) entries.set(key, llm);
    return { instance, agent, llm: key, ownsLlm };
  });
}

/** `texts`: the canonical JSON of those compared before. */
function isSame(left: EffectiveLlm, right: EffectiveLlm, texts: Map<EffectiveLlm, string>): boolean {
  return left === right || canonicalTextOf(left, texts) === canonicalTextOf(right, texts);
}

function canonicalTextOf(llm: EffectiveLlm, texts: Map<EffectiveLlm, string>): string {
  let text = texts.get(llm);
  if (text === undefined) {
    text = canonicalJson(llm as unknown as Json);
    texts.set(llm, text);
  }
  return text;
}

/** The same for all agents of a snapshot. */
function overridesOf([first]: readonly Member[]): { readonly overrides?: CallOverrides } {
  const ofCall = first?.agent.layers.filter(({ layer }) => layer === 'call') ?? [];
  const config = ofCall.find(({ kind }) => kind === 'agent')?.value;
  const llm = ofCall.some(({ kind }) => kind === 'llm') ? first?.agent.llm.llm_id : undefined;
  if (config === undefined && llm === undefined) return {};
  return { overrides: Object.freeze({ ...(llm !== undefined && { llm }), ...(config && { config }) }) };
}

/** Whether layering found what looks like a secret: its result must not be stored then. */
export function holdsSecret({ problems }: Pick<ResolvedAgent, 'problems'>): boolean {
  return problems.some(({ code }) => code === 'secret-in-plain-text');
}

/** Agents that are called and exist, but were left out. Those that do not exist are problems of their callers; calls beyond the limit never run. */
function missingIn(caller: ResolvedAgent, called: ReadonlyMap<string, ResolvedAgent>): readonly string[] {
  const missing: string[] = [];
  const seen = new Set<string>();
  let level = [caller];
  for (let depth = 1; depth <= loopLimits.nesting; depth += 1) {
    const calls = level.flatMap((agent) => calledBy(agent).map((id) => ({ id, isKnown: isTold(id, agent) })));
    const fresh = calls.filter(({ id }) => !seen.has(id));
    for (const { id, isKnown } of fresh) {
      seen.add(id);
      if (!called.has(id) && !isKnown) missing.push(id);
    }
    level = fresh.flatMap(({ id }) => called.get(id) ?? []);
  }
  return missing;
}

/** Whether a missing agent is already reported as a problem of its caller. */
function isTold(id: string, { problems }: ResolvedAgent): boolean {
  return id.includes('${') || problems.some(({ data }) => data?.id === id);
}

/** Its origins are collected and serialized on first access, once for all runs of the same snapshot. */
class FrozenSnapshot implements Snapshot {
  readonly value: SnapshotValue;
  readonly text: string;
  readonly hash: string;
  declare readonly overrides?: CallOverrides;
  readonly #findOrigins: () => ReadonlyMap<string, Origin>;
  #origins: ReadonlyMap<string, Origin> | undefined;
  #originsText: string | undefined;

  constructor({ value, text, hash, overrides }: Omit<Snapshot, 'origins_text'>, findOrigins: () => ReadonlyMap<string, Origin>) {
    this.value = value;
    this.text = text;
    this.hash = hash;
    if (overrides !== undefined) this.overrides = overrides;
    this.#findOrigins = findOrigins;
    Object.freeze(this);
  }

  get origins_text(): string {
    this.#originsText ??= textOf(this.#origins ?? this.#findOrigins());
    return this.#originsText;
  }

  origins(): ReadonlyMap<string, Origin> {
    this.#origins ??= this.#findOrigins();
    return this.#origins;
  }
}

function skillsOf(members: readonly Member[]): { readonly skills?: JsonObject } {
  const skills = new Map<string, JsonObject>();
  for (const { agent } of members)
    for (const { name, description, parameters, examples, labels, needs_approval } of ownTools(agent)) {
      const does = agent.policy && {
        ...(labels && { labels: labels as JsonObject }),
        ...(needs_approval !== undefined && { needs_approval }),
      };
      skills.set(name, Object.freeze({ description, ...(examples && { examples }), parameters, ...does }));
    }
  if (skills.size === 0) return {};
  // The order in which prompts list them; an agent without tools does not have it.
  const offered = members.find(({ agent }) => agent.offered.length > 0)?.agent.offered ?? [];
  const order = [...new Set([...offered, ...skills.keys()])];
  return { skills: toObject(order.flatMap((name) => entryOf(skills, name))) };
}

function ownTools({ tools }: ResolvedAgent): readonly FrozenTool[] {
  return tools.filter(({ origin }) => origin.type !== 'mcp');
}

/** The same for all agents of a snapshot. */
function policyOf([first]: readonly Member[]): Pick<SnapshotValue, 'policy'> {
  const policy = first?.agent.policy?.policy;
  return policy === undefined ? {} : { policy };
}

function modelsOf(members: readonly Member[]): { readonly models?: JsonObject } {
  const models = members.flatMap(({ agent }) => Object.entries(agent.models));
  return models.length === 0 ? {} : { models: toObject(models) };
}

function entryOf<Value>(entries: ReadonlyMap<string, Value>, key: string): readonly [string, Value][] {
  const value = entries.get(key);
  return value === undefined ? [] : [[key, value]];
}

/** Keys may be any names, `__proto__` included. */
function toObject<Value>(entries: readonly (readonly [string, Value])[]): { readonly [key: string]: Value } {
  return Object.freeze(Object.fromEntries(entries));
}

/** Canonical JSON. */
function textOf(origins: ReadonlyMap<string, Origin>): string {
  return canonicalJson(Object.fromEntries(origins) as unknown as Json);
}

/** The pointer of every leaf of the snapshot but `key_order` to its origin. */
function originsOf(value: SnapshotValue, members: readonly Member[], request: SnapshotSubject): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  const add = (pointer: string, part: object, { originAt }: OriginSource) =>
    forEachLeaf(part as Json, (leaf, path) => origins.set(pointer + leaf, originAt(path)));
  for (const { instance, agent, llm, ownsLlm } of members) {
    const sources = sourcesOf(agent);
    add(pointerOf('agents', instance), agent.config, sources.config);
    if (ownsLlm) add(pointerOf('llms', llm), agent.llm, sources.llm);
  }
  if (request.kind === 'orchestration') add('/orchestration', request.resolved.frozen, request.resolved.source);
  const { agents, llms, orchestration: _theirs, key_order: _order, ...own } = value;
  // An empty object is a leaf of the snapshot itself.
  const rest = { ...own, ...(members.length === 0 && { agents, llms }) };
  forEachLeaf(rest as unknown as Json, (pointer, path) => {
    origins.set(pointer, ownOrigin(pointer, path, members, request));
  });
  // As in the text: whoever takes the first below a pointer gets the same from both.
  return new Map([...origins.keys()].sort().map((pointer) => [pointer, origins.get(pointer) as Origin]));
}

/** Where the snapshot's own members come from: its name and version from its subject; servers, tools and models from the whole project. */
function ownOrigin(pointer: string, path: Path, members: readonly Member[], request: SnapshotSubject): Origin {
  if (pointer === '/name' && request.kind === 'orchestration')
    return { file: request.resolved.file, pointer: '/name', layer: 'orchestration' };
  if (pointer === '/name' && request.kind === 'agent') return sourcesOf(request.resolved).config.originAt(['agent_name']);
  if (pointer === '/version' && request.kind === 'agent') return sourcesOf(request.resolved).config.originAt(['version']);
  const [part, name = '', inner] = path;
  if (part === 'servers' && path.length > 1) {
    const files = members.find(({ agent }) => Object.hasOwn(agent.servers, name))?.agent.tool_files;
    return { file: (inner === 'tools' ? files?.lock : files?.mcp) ?? null, pointer, layer: 'system' };
  }
  if (part === 'policy') return policyOrigin(path, members);
  if (part === 'models') return { file: settingsPath, pointer, layer: 'system' };
  const tools = part === 'skills' ? members.flatMap(({ agent }) => ownTools(agent)) : [];
  const source = tools.find((tool) => tool.name === name)?.source;
  if (source) return { file: source.file, pointer: `${source.pointer}${pointerOf(...path.slice(2))}`, layer: 'system' };
  return { file: null, pointer, layer: 'default' };
}

/** Of an assertion, and of what it consists of. */
function policyOrigin([, ...path]: Path, [first]: readonly Member[]): Origin {
  const origins = first?.agent.policy?.origins;
  for (let length = path.length; length > 0; length -= 1) {
    const origin = origins?.get(pointerOf(...path.slice(0, length)));
    if (origin !== undefined) return { ...origin, pointer: origin.pointer + pointerOf(...path.slice(length)) };
  }
  throw new Error(`${pointerOf('policy', ...path)} has no origin`);
}

function sourcesOf(agent: ResolvedAgent): NonNullable<ResolvedAgent['sources']> {
  return agent.sources ?? { config: sourceIn(agent.origins), llm: sourceIn(agent.llm_origins) };
}

function originAt(origins: ReadonlyMap<string, Origin>, pointer: string): Origin {
  const origin = origins.get(pointer);
  if (!origin) throw new Error(`${pointer} of an effective config has no origin`);
  return origin;
}

function sourceIn(origins: ReadonlyMap<string, Origin>): OriginSource {
  return { originAt: (path) => originAt(origins, pointerOf(...path)) };
}
