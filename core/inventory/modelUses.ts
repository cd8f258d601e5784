import { findAgent } from '../config/agentReference.js';
import { expectationsIn } from '../config/caseParts.js';
import type { FileIdentity } from '../config/configFile.js';
import { defaultProvider } from '../config/defaults.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { KnownFile } from '../config/memoryIndex.js';
import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { parseConfigFile } from '../config/parseConfigFile.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { locate } from '../jsonText/locate.js';
import { positionsIn } from '../jsonText/textPositions.js';
import type { Kind } from '../kinds.js';
import { createModelTable } from '../llm/modelTable.js';
import { namingOf } from '../otherTools/index.js';
import { type Environment, FileProblem, type FileSystem } from '../ports.js';
import { findSetting, type Setting } from '../rules/facts/layers.js';
import { environmentNames } from '../snapshot/checkEnvironment.js';
import { resolveAgent } from '../snapshot/resolveAgent.js';
import { resolveOrchestration } from '../snapshot/resolveOrchestration.js';
import type { AgentSource, ResolvedAgent } from '../snapshot/types.js';
import { readInventory } from './readInventory.js';
import { isOwnName, type NamedPlace, namesOf } from './toolNames.js';

/** Who gets a model from a place: an agent `Tone@v1`, a task `flow first/ask`, or a case `Tone/labels` whose judge is such an agent. */
export interface ModelUser {
  readonly kind: 'agent' | 'task' | 'case';
  readonly name: string;
  /** The environments in which it does. */
  readonly environments: readonly string[];
}

/** A place where a model is written: changing it there changes it for all of its users. */
export interface ModelPlace {
  readonly file: string;
  readonly pointer: string;
  readonly line: number;
  /** The other tool whose file it is. */
  readonly tool?: string;
  /** Empty where no agent uses it, and in a file of another tool. */
  readonly used_by: readonly ModelUser[];
}

/** A model, and where it is written. */
export interface ModelUse {
  /** As it is written, with variables filled in where they are set. */
  readonly model: string;
  /** Undefined where a file of another tool does not say it. */
  readonly provider: string | undefined;
  readonly places: readonly ModelPlace[];
}

export interface ModelUses {
  /** By provider and name. */
  readonly uses: readonly ModelUse[];
  readonly environments: readonly string[];
  /** Files that may name models and could not be read. */
  readonly unread: readonly string[];
}

export interface FindModelUsesOptions {
  readonly files: FileSystem;
  readonly index: LoadedIndex;
  readonly variables: Environment;
  /** Default: every one. */
  readonly environment?: string | undefined;
}

/** Every model that is written in a project, whoever uses it, in every environment, and in the files of other tools as far as they are understood. */
export async function findModelUses(options: FindModelUsesOptions): Promise<ModelUses> {
  const { index, environment } = options;
  const { settings } = index;
  const search = new ReadingSearch(options);
  await search.read();
  const environments = environment === undefined ? environmentsOf(index) : [environment];
  for (const name of environments) search.findIn(name);
  search.findUnused();
  if (settings.other_tools) await search.findInOtherTools();
  return { uses: await search.result(), environments, unread: [...search.unread].sort() };
}

/** A file that may name models. */
export interface ModelFile {
  readonly path: string;
  readonly identity: Pick<FileIdentity, 'kind' | 'id' | 'name'>;
  readonly value: JsonObject;
}

/** Where an agent or task gets its model from, in some environment, each place with the provider who is asked for it. */
export function usedModelPlaces(files: Iterable<ModelFile>, context: SearchContext): readonly Place[] {
  const search = new UseSearch(context);
  for (const file of files) search.take(file);
  for (const name of environmentsOf(context.index)) search.findIn(name);
  return [...search.places.values()];
}

function environmentsOf(index: ProjectIndex): readonly string[] {
  const { environment } = index.settings;
  return [environment, ...environmentNames(index).filter((name) => name !== environment)];
}

interface SearchContext {
  readonly index: ProjectIndex;
  readonly variables: Environment;
}

interface Place {
  readonly file: string;
  readonly pointer: string;
  readonly model: string;
  readonly provider: string | undefined;
  readonly tool?: string;
  readonly line?: number;
}

interface FoundPlace extends Place {
  readonly users: Map<string, { readonly kind: ModelUser['kind']; readonly name: string; readonly environments: Set<string> }>;
}

class UseSearch {
  readonly places = new Map<string, FoundPlace>();
  private readonly context: SearchContext;
  private readonly agents = new Map<string, AgentSource>();
  private readonly orchestrations: { readonly name: string; readonly file: AgentSource }[] = [];
  /** Llm profiles, personas and system files. */
  private readonly layers: ModelFile[] = [];
  /** Judges by the case that asks them. */
  private readonly judges: { readonly name: string; readonly agent: string }[] = [];

  constructor(context: SearchContext) {
    this.context = context;
  }

  take(file: ModelFile): void {
    const { path, identity, value } = file;
    if (identity.kind === 'agent') this.agents.set(identity.id, { path, value });
    else if (identity.kind === 'orchestration') this.orchestrations.push({ name: identity.name, file: { path, value } });
    else if (identity.kind === 'payload') {
      const references = new Set(expectationsIn(value).map(({ value: { judge } }) => judge));
      for (const reference of references) {
        const judge = typeof reference === 'string' ? findAgent(this.context.index, reference) : undefined;
        if (judge !== undefined) this.judges.push({ name: identity.id, agent: judge.id });
      }
    } else if (writtenIn.has(identity.kind)) this.layers.push(file);
  }

  findIn(environment_name: string): void {
    const { index: project, variables } = this.context;
    const together = { project, variables, environment_name };
    const placeOf = new Map<string, string>();
    for (const [id, file] of this.agents) {
      const at = id.lastIndexOf('@');
      const resolved = resolveAgent({ ...together, agent_name: id.slice(0, at), version: id.slice(at + 1), file });
      const key = this.add(resolved, { kind: 'agent', name: id }, environment_name);
      if (key !== undefined) placeOf.set(id, key);
    }
    for (const { name, file } of this.orchestrations) {
      for (const [instance, resolved] of resolveOrchestration({ ...together, file, agents: this.agents }).agents) {
        const { agent_name, version } = resolved.config;
        // A task that takes its agent as it is, and an agent that a plan calls, have the model of the agent's own file.
        if (placeKey(resolved) === placeOf.get(`${agent_name}@${version}`)) continue;
        this.add(resolved, { kind: 'task', name: `${name} ${instance}` }, environment_name);
      }
    }
    for (const { name, agent } of this.judges) {
      const place = this.places.get(placeOf.get(agent) ?? '');
      if (place !== undefined) addUser(place, { kind: 'case', name }, environment_name);
    }
  }

  /** What is written and what nothing uses, in any of the environments. */
  findUnused(): void {
    const written = new Set([...this.places.values()].map(({ file, pointer }) => `${file} ${pointer}`));
    const add = (file: string, at: string, value: Json | undefined) => {
      const pointer = `${at}/model_name`;
      if (!isObject(value) || typeof value.model_name !== 'string' || written.has(`${file} ${pointer}`)) return;
      const provider = typeof value.provider === 'string' ? value.provider : defaultProvider;
      this.put({ file, pointer, model: value.model_name, provider });
    };
    for (const { path, value } of this.agents.values()) add(path, '', value);
    for (const { path, identity, value } of this.layers) {
      if (identity.kind !== 'system') {
        add(path, '', value);
        continue;
      }
      for (const part of ['agent_defaults', 'persona_defaults']) add(path, `/${part}`, value[part]);
      for (const part of ['agents', 'llms']) for (const [name, entry] of entriesOf(value[part])) add(path, pointerOf(part, name), entry);
    }
    for (const { file } of this.orchestrations) {
      for (const task of teamsIn(file.value).flatMap(tasksIn)) add(file.path, `${task.pointer}/config`, task.value.config);
    }
  }

  /** The place that gives an effective agent its model. */
  private add(resolved: ResolvedAgent, user: Pick<ModelUser, 'kind' | 'name'>, environment: string): string | undefined {
    const key = placeKey(resolved);
    const setting = modelSetting(resolved);
    if (key === undefined || setting === undefined) return undefined;
    const { config } = resolved;
    const [model, provider] = [config.model_name ?? String(setting.value), config.provider ?? defaultProvider];
    this.put({ file: setting.fragment.file ?? '', pointer: setting.pointer, model, provider }, key);
    addUser(this.places.get(key), user, environment);
    return key;
  }

  protected put(place: Place, key = JSON.stringify([place.file, place.pointer, place.model, place.provider])): void {
    if (!this.places.has(key)) this.places.set(key, { ...place, users: new Map() });
  }
}

/** Reads the files that it searches. */
class ReadingSearch extends UseSearch {
  readonly unread = new Set<string>();
  private readonly options: FindModelUsesOptions;

  constructor(options: FindModelUsesOptions) {
    super(options);
    this.options = options;
  }

  async read(): Promise<void> {
    for (const known of this.options.index.files()) {
      const { path, identity } = known;
      if (!writtenIn.has(identity.kind) && identity.kind !== 'payload') continue;
      const value = await this.readValue(known);
      if (value !== undefined) this.take({ path, identity, value });
    }
  }

  async findInOtherTools(): Promise<void> {
    const { files, index } = this.options;
    const models = createModelTable(index.settings.models);
    const inventory = await readInventory(files, [index.settings.config_dir]);
    for (const { path, source } of inventory.files) if (source === undefined) this.unread.add(path);
    for (const place of namesOf(inventory)) {
      const { file, name } = place;
      if (name.kind !== 'model' || isOwnName(place) || name.name === 'inherit') continue;
      const { line } = file.source.placeOf(name.pointer);
      this.put({
        ...modelOf(place, (model, provider) => models.find(model, provider) !== undefined),
        file: file.path,
        pointer: name.pointer,
        line,
        tool: file.tool,
      });
    }
  }

  async result(): Promise<readonly ModelUse[]> {
    const byModel = new Map<string, { readonly model: string; readonly provider: string | undefined; readonly places: ModelPlace[] }>();
    for (const { model, provider, file, pointer, line, tool, users } of this.places.values()) {
      const key = JSON.stringify([provider ?? '', model]);
      const use = byModel.get(key) ?? { model, provider, places: [] };
      byModel.set(key, use);
      const used_by = [...users.values()].map(({ environments, ...user }) => ({ ...user, environments: [...environments] }));
      use.places.push({ file, pointer, line: line ?? (await this.lineOf(file, pointer)), ...(tool !== undefined && { tool }), used_by });
    }
    return [...byModel.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, use]) => use);
  }

  /** Undefined for what is not ours, is gone, or cannot be read. */
  private async readValue({ path, identity }: KnownFile): Promise<JsonObject | undefined> {
    const text = await this.textOf(path);
    const file = this.options.index.read.get(path) ?? (text === undefined ? undefined : parseConfigFile(path, text, identity));
    if (file?.foreign !== undefined) return undefined;
    if (isObject(file?.value)) return file.value;
    this.unread.add(path);
    return undefined;
  }

  private async textOf(path: string): Promise<string | undefined> {
    try {
      return await this.options.files.readText(path);
    } catch (error) {
      if (error instanceof FileProblem) return undefined;
      throw error;
    }
  }

  private async lineOf(file: string, pointer: string): Promise<number> {
    const text = (await this.textOf(file)) ?? '';
    const place = locate(text, [pointer]).get(pointer);
    return place === undefined ? 1 : positionsIn(text)(place.value.start).line;
  }
}

/** The kinds of files in which a model can be written. */
const writtenIn: ReadonlySet<Kind> = new Set(['agent', 'llm', 'persona', 'system', 'orchestration']);

function modelSetting({ layers }: ResolvedAgent): Setting | undefined {
  const [lowest, ...above] = layers;
  const setting = lowest === undefined ? undefined : findSetting({ fragments: [lowest, ...above] }, 'model_name');
  return setting === undefined || setting.fragment.file === null || typeof setting.value !== 'string' ? undefined : setting;
}

/** Two environments may fill in another model, or reach it by another provider, at one place. */
function placeKey(resolved: ResolvedAgent): string | undefined {
  const setting = modelSetting(resolved);
  const { model_name = setting?.value, provider = defaultProvider } = resolved.config;
  return setting && JSON.stringify([setting.fragment.file, setting.pointer, model_name, provider]);
}

function addUser(place: FoundPlace | undefined, { kind, name }: Pick<ModelUser, 'kind' | 'name'>, environment: string): void {
  if (place === undefined) return;
  const key = `${kind} ${name}`;
  const user = place.users.get(key) ?? { kind, name, environments: new Set() };
  user.environments.add(environment);
  place.users.set(key, user);
}

function entriesOf(value: Json | undefined): readonly [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** The model that another tool's file names: its provider is known where the tool writes it in front, or has models of one provider that knows it. */
function modelOf(
  { file, name: { name } }: NamedPlace,
  isKnown: (model: string, provider: string) => boolean,
): Pick<Place, 'model' | 'provider'> {
  const prefixes = Object.entries(namingOf(file.tool)?.models ?? {});
  for (const [provider, prefix] of prefixes) {
    const model = name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
    if (model !== undefined && (prefix !== '' || isKnown(model, provider))) return { model, provider };
  }
  return { model: name, provider: undefined };
}
