import { besidePath } from '../besidePath.js';
import { knownTools, serverOf } from '../config/knownTools.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import type { Kind } from '../kinds.js';
import type { ImportSource } from '../otherTools/importSource.js';
import type { At, Draft, DraftKind, LostFields, NamedTools, Origins, TakenFields } from '../otherTools/types.js';
import { cleanName, cleanPartName, freeName, within } from '../otherTools/values.js';
import { validateKind } from '../schema/kindValidators.js';
import { listed, quoted } from '../words.js';
import { noteLost, serverFields, takeFields, toolFields } from './fields.js';
import { modelFields, modelNames } from './models.js';
import { SecretHider } from './secretHider.js';
import type { ImportNote } from './types.js';

export interface DraftFile {
  readonly kind: DraftKind;
  /** `name@version` or the name. */
  readonly id: string;
  readonly value: JsonObject;
  readonly at: At;
}

export interface DraftOptions {
  /** Every file that was read for the import, by path. */
  readonly sources: ReadonlyMap<string, ImportSource>;
  /** The name that the one agent of the import gets. */
  readonly name?: string | undefined;
  /** What the project has already. */
  readonly project: Pick<ProjectIndex, 'settings' | 'registered' | 'ids' | 'value'>;
}

/** What is planned of an import before anything is written. Nothing in it holds a secret. */
export class ImportDraft implements Draft {
  readonly files = new Map<string, DraftFile>();
  readonly servers = new Map<string, { readonly value: JsonObject; readonly at: At }>();
  readonly notes: ImportNote[] = [];
  /** Sources that another source was read with. */
  readonly taken = new Set<string>();
  /** Whether `${VAR}` means the same to the tool that is read. */
  expandsVariables = false;
  readonly models = modelNames;
  readonly #options: DraftOptions;
  readonly #names = new Map<string, string>();
  readonly #secrets = new SecretHider();

  constructor(options: DraftOptions) {
    this.#options = options;
    for (const { value, body } of options.sources.values()) for (const part of [value, body]) this.#secrets.learn(part);
  }

  file(source: ImportSource, path: string): ImportSource | undefined {
    const file = this.#options.sources.get(besidePath(source.path, path) ?? '');
    if (file !== undefined) this.taken.add(file.path);
    return file;
  }

  note({ source, pointer }: At, message: string): void {
    const note = { file: source.path, pointer: this.#secrets.cover(pointer), message: this.#secrets.cover(message) };
    const isKnown = this.notes.some(
      (other) => other.message === note.message && other.pointer === note.pointer && other.file === note.file,
    );
    if (!isKnown) this.notes.push({ ...note, ...source.placeOf(pointer) });
  }

  nameOf(kind: DraftKind | 'server', text: string, at: At): string {
    const key = `${kind} ${text}`;
    const earlier = this.#names.get(key);
    if (earlier !== undefined) return earlier;
    const asked = kind === 'agent' ? this.#options.name : undefined;
    const clean = asked ?? cleanName(this.#secrets.inName(text), kind);
    const taken = new Set([...this.#names].filter(([other]) => other.startsWith(`${kind} `)).map(([, name]) => name.toLowerCase()));
    const name = freeName(clean, (other) => taken.has(other.toLowerCase()));
    this.#names.set(key, name);
    if (name !== text && asked === undefined)
      this.note(at, `${quoted(text)} is named ${quoted(name)} here: names consist of letters, digits, ".", "_" and "-".`);
    return name;
  }

  add(kind: DraftKind, id: string, identity: JsonObject, fields: JsonObject, at: At, from: Origins = {}): void {
    const key = `${kind} ${id}`;
    const written = this.#written({ ...identity, ...fields }, kind, id, at, from);
    const kept = Object.entries(written).filter(([field, value]) => {
      const [error] = kind === 'orchestration' || Object.hasOwn(identity, field) ? [] : validateKind(kind, { ...identity, [field]: value });
      if (error !== undefined)
        this.note(
          { ...at, pointer: from[field] ?? at.pointer },
          `${quoted(field)} is left out: ${error.pointer === '' ? 'it' : error.pointer.slice(1)} ${error.message}.`,
        );
      return error === undefined;
    });
    const value = Object.fromEntries(kept) as JsonObject;
    const other = this.files.get(key);
    if (other === undefined) this.files.set(key, { kind, id, value, at });
    else if (JSON.stringify(other.value) !== JSON.stringify(value))
      this.note(
        at,
        `It is left out: ${other.at.source.path} is for the same ${kind}, ${quoted(id)}, which all that names it gets now. Give one of them another name, and import again.`,
      );
  }

  agent(text: string, fields: JsonObject, at: At, from: Origins = {}, version = 'v1'): string {
    const agent_name = this.nameOf('agent', text, at);
    const id = `${agent_name}@${version}`;
    this.add('agent', id, { agent_name, version }, fields, at, from);
    return id;
  }

  cases(agent: string, name: string, value: JsonObject, at: At): void {
    this.add('payload', `${agent}/${name}`, {}, value, at);
  }

  caseName(text: string): string {
    return cleanName(this.#secrets.inName(text), 'case');
  }

  profile(text: string, fields: JsonObject, at: At, from: Origins = {}): string {
    const llm_id = this.nameOf('llm', text.replaceAll('/', '_').replaceAll(':', '_'), at);
    this.add('llm', llm_id, { llm_id }, fields, at, from);
    return llm_id;
  }

  noteLost(value: JsonObject, at: At, lost: LostFields): void {
    noteLost(value, at, lost, this);
  }

  fields(value: JsonObject, kind: Kind, at: At, advice: Readonly<Record<string, string | null>> = {}): TakenFields {
    return takeFields(value, kind, at, advice, this);
  }

  modelFields(model: string, at: At): JsonObject {
    return modelFields(model, at, this);
  }

  toolFields(tools: NamedTools, at: At): JsonObject {
    return toolFields(tools, at, this);
  }

  lineOfAgents(text: string, agents: readonly string[], at: At): void {
    const name = this.nameOf('orchestration', text, at);
    const taken: string[] = [];
    const tasks = agents.map((agent) => {
      const before = taken.at(-1);
      const task = freeName(cleanPartName(agent, 'step'), (other) => taken.includes(other));
      taken.push(task);
      return {
        name: task,
        agent: `${this.nameOf('agent', agent, at)}@v1`,
        input: { message: before === undefined ? '{{context.message}}' : `{{tasks.${before}.output}}` },
        ...(before !== undefined && { depends_on: [before] }),
      };
    });
    this.note(at, 'The agents run one after the other. The first gets the context field "message": give it as the input of the run.');
    const team = { name: text, tasks, routing: { default: null } };
    this.add('orchestration', name, { name }, { entry_team: 'steps', context: { message: '' }, teams: { steps: team } }, at);
  }

  server(text: string, value: Json, at: At): string | undefined {
    const fields = serverFields(value, at, this);
    if (fields === undefined) return undefined;
    const id = this.nameOf('server', text, at);
    const server = this.#secrets.inServer(fields, id, (message, field) => this.note(within(at, ...field), message));
    const [error] = validateKind('mcp', { servers: { [id]: server } });
    const other = this.servers.get(id);
    if (error !== undefined) this.note(at, `The server is left out: ${error.pointer.slice(1)} ${error.message}.`);
    else if (other === undefined) this.servers.set(id, { value: server, at });
    else if (JSON.stringify(other.value) !== JSON.stringify(server)) {
      const { path } = other.at.source;
      this.note(
        at,
        `The server ${quoted(text)} is left out: ${path} defines another one of that name, which the agents of both files reach now. Give one of them another name, and import again.`,
      );
    }
    return id;
  }

  serversOf(source: ImportSource, path: string, names: readonly string[]): void {
    const file = this.file(source, path);
    const servers = isObject(file?.value) ? file.value.mcpServers : undefined;
    if (file === undefined || !isObject(servers)) return;
    for (const name of names) {
      const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
      const at = within({ source: file, pointer: '' }, 'mcpServers', name);
      if (server !== undefined && !this.servers.has(this.nameOf('server', name, at))) this.server(name, server, at);
    }
  }

  /** Removes from the agents the servers that neither the import nor the project defines, and the tools of an agent without servers. */
  finish(): void {
    const { project } = this.#options;
    for (const [key, file] of this.files) {
      if (file.kind !== 'agent') continue;
      const { client_ids, enabled_tools, ...fields } = file.value;
      const ids = listOf(client_ids).map(String);
      const definedIds = ids.filter((id) => this.servers.has(id) || serverOf(project, id) !== undefined);
      const lost = ids.filter((id) => !definedIds.includes(id));
      if (lost.length > 0)
        this.note(
          file.at,
          `${listed(lost)} ${lost.length === 1 ? 'is an MCP server that is' : 'are MCP servers that are'} not defined here. Add ${lost.length === 1 ? 'it' : 'them'} to mcp.json, and to client_ids of ${quoted(file.id)}.`,
        );
      const { tools, isWhole } = knownTools(project, []);
      const names = listOf(enabled_tools).map(String);
      const usable = definedIds.length > 0 || !isWhole ? names : names.filter((name) => tools.some((tool) => tool.name === name));
      const unusable = names.filter((name) => !usable.includes(name));
      if (unusable.length > 0)
        this.note(
          file.at,
          `${listed(unusable)} ${unusable.length === 1 ? 'is a tool' : 'are tools'} that the project does not have, and left out of enabled_tools. Offer ${unusable.length === 1 ? 'it' : 'them'} by an MCP server, or write ${unusable.length === 1 ? 'it' : 'them'} with defineTool (docs/tools.md), and add ${unusable.length === 1 ? 'it' : 'them'} there.`,
        );
      const value = {
        ...fields,
        ...(definedIds.length > 0 && { client_ids: definedIds }),
        ...(usable.length > 0 && { enabled_tools: usable }),
      };
      this.files.set(key, { ...file, value });
    }
  }

  /** The value with its secrets hidden, and with texts that only look like placeholders of ours escaped, so that they are sent unchanged. */
  #written(value: JsonObject, kind: DraftKind, id: string, at: At, from: Origins): JsonObject {
    const own = this.#secrets.inFile(value, kind === 'llm' ? id : (id.split('@')[0] ?? id), (message, [field = '']) =>
      this.note({ ...at, pointer: from[field] ?? at.pointer }, message),
    );
    // In inputs nothing is filled in.
    if (this.expandsVariables || kind === 'payload') return own;
    const literal = (part: Json, field: string): Json => {
      if (typeof part === 'string') {
        const text = literalText(part);
        if (text !== part)
          this.note(
            { ...at, pointer: from[field] ?? at.pointer },
            `${quoted(field)} holds text such as \${NAME}, which would be an environment variable here. It is written as \${DOLLAR:-$}{NAME} and sent as it was.`,
          );
        return text;
      }
      if (Array.isArray(part)) return part.map((item: Json) => literal(item, field));
      return isObject(part) ? Object.fromEntries(Object.entries(part).map(([key, item]) => [key, literal(item, field)])) : part;
    };
    return Object.fromEntries(
      Object.entries(own).map(([field, part]) => [field, field === 'api_key_env' ? part : literal(part, field)]),
    ) as JsonObject;
  }
}

/**
 * Escapes a text that looks as if it named an environment variable but does not: `${HOME}` becomes `${DOLLAR:-$}{HOME}`, where `DOLLAR` is
 * unset, or a dollar sign, as envsubst has it.
 */
export function literalText(text: string): string {
  return text.replace(/\$(?=\{[A-Za-z_][A-Za-z0-9_]*(?:\}|:-))/g, () => '${DOLLAR:-$}');
}
