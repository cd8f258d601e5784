import { knownTools, serverOf } from '../config/knownTools.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { listed, shown } from '../rules/support/words.js';
import { validateKind } from '../schema/kindValidators.js';
import { cleanName } from './cleanName.js';
import { literalText } from './literalText.js';
import { SecretHider } from './secretHider.js';
import type { At, ImportNote, ImportSource } from './types.js';

/** The kinds of files that an import makes. */
export type DraftKind = 'agent' | 'orchestration' | 'persona' | 'prompt' | 'llm' | 'system';

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

/** What importers make of their sources: files of ours, servers, and notes of what could not be kept. Nothing in it holds a secret. */
export class Draft {
  readonly files = new Map<string, DraftFile>();
  readonly servers = new Map<string, { readonly value: JsonObject; readonly at: At }>();
  readonly notes: ImportNote[] = [];
  /** Sources that another source was read with. */
  readonly taken = new Set<string>();
  /** Whether `${VAR}` means the same to the tool that is read. */
  expandsVariables = false;
  readonly #options: DraftOptions;
  readonly #names = new Map<string, string>();
  readonly #secrets = new SecretHider();

  constructor(options: DraftOptions) {
    this.#options = options;
  }

  /** A file that a source names, from the folder that the source is in; undefined where it was not read. */
  file(source: ImportSource, path: string): ImportSource | undefined {
    const found = this.#options.sources.get(besidePath(source.path, path) ?? '');
    if (found !== undefined) this.taken.add(found.path);
    return found;
  }

  /** What has no counterpart, and what to do. */
  note({ source, pointer }: At, message: string): void {
    this.notes.push({
      file: source.path,
      pointer: this.#secrets.cover(pointer),
      ...source.placeOf(pointer),
      message: this.#secrets.cover(message),
    });
  }

  /** The legal name of what another tool calls `text`: the same text of a kind has the same name, two texts have two. */
  nameOf(kind: DraftKind | 'server', text: string, at: At): string {
    const key = `${kind} ${text}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const asked = kind === 'agent' ? this.#options.name : undefined;
    const clean = asked ?? cleanName(this.#secrets.inName(text), kind);
    const taken = new Set([...this.#names].filter(([other]) => other.startsWith(`${kind} `)).map(([, name]) => name.toLowerCase()));
    let name = clean;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${clean.slice(0, 60)}_${number}`;
    this.#names.set(key, name);
    if (name !== text && asked === undefined)
      this.note(at, `${shown(text)} is named ${shown(name)} here: names consist of letters, digits, ".", "_" and "-".`);
    return name;
  }

  /**
   * Adds a file, without the fields that its schema does not take: these are noted. Of two for one place, the first counts.
   *
   * @param identity the fields that name the file
   * @param from pointers of the fields in the source, where they differ from that of the whole
   */
  add(kind: DraftKind, id: string, identity: JsonObject, fields: JsonObject, at: At, from: Readonly<Record<string, string>> = {}): void {
    const key = `${kind} ${id}`;
    const written = this.#written({ ...identity, ...fields }, kind, id, at, from);
    const kept = Object.entries(written).filter(([field, value]) => {
      const [error] = kind === 'orchestration' || Object.hasOwn(identity, field) ? [] : validateKind(kind, { ...identity, [field]: value });
      if (error !== undefined)
        this.note(
          { ...at, pointer: from[field] ?? at.pointer },
          `${shown(field)} is left out: ${error.pointer === '' ? 'it' : error.pointer.slice(1)} ${error.message}.`,
        );
      return error === undefined;
    });
    const value = Object.fromEntries(kept) as JsonObject;
    const other = this.files.get(key);
    if (other === undefined) this.files.set(key, { kind, id, value, at });
    else if (JSON.stringify(other.value) !== JSON.stringify(value))
      this.note(at, `It is left out: ${other.at.source.path} is for the same ${kind}, ${shown(id)}. Give one of them another name.`);
  }

  /** An agent; `fields` without its name and version. @returns the reference to it, `name@version` */
  agent(text: string, fields: JsonObject, at: At, from: Readonly<Record<string, string>> = {}, version = 'v1'): string {
    const agent_name = this.nameOf('agent', text, at);
    const id = `${agent_name}@${version}`;
    this.add('agent', id, { agent_name, version }, fields, at, from);
    return id;
  }

  /** An MCP server. Its texts may hold placeholders, which are filled in when it is started. @returns its id */
  server(text: string, server: JsonObject, at: At): string {
    const id = this.nameOf('server', text, at);
    const value = this.#secrets.inServer(server, id, (message, field) => this.note(within(at, ...field), message));
    const [error] = validateKind('mcp', { servers: { [id]: value } });
    if (error !== undefined) this.note(at, `The server is left out: ${error.pointer.slice(1)} ${error.message}.`);
    else if (!this.servers.has(id)) this.servers.set(id, { value, at });
    return id;
  }

  /** Takes from the agents what leads to nothing, neither in the import nor in the project: servers, and tools where no server is left. */
  finish(): void {
    const { project } = this.#options;
    for (const [key, file] of this.files) {
      if (file.kind !== 'agent') continue;
      const { client_ids, enabled_tools, ...fields } = file.value;
      const ids = listOf(client_ids).map(String);
      const known = ids.filter((id) => this.servers.has(id) || serverOf(project, id) !== undefined);
      const lost = ids.filter((id) => !known.includes(id));
      if (lost.length > 0)
        this.note(
          file.at,
          `${listed(lost)} ${lost.length === 1 ? 'is an MCP server that is' : 'are MCP servers that are'} not defined here. Add ${lost.length === 1 ? 'it' : 'them'} to mcp.json, and to client_ids of ${shown(file.id)}.`,
        );
      const { tools, isWhole } = knownTools(project, []);
      const names = listOf(enabled_tools).map(String);
      const usable = known.length > 0 || !isWhole ? names : names.filter((name) => tools.some((tool) => tool.name === name));
      const unusable = names.filter((name) => !usable.includes(name));
      if (unusable.length > 0)
        this.note(
          file.at,
          `${listed(unusable)} ${unusable.length === 1 ? 'is a tool' : 'are tools'} that the project has not, left out of enabled_tools. Offer ${unusable.length === 1 ? 'it' : 'them'} by an MCP server, or write ${unusable.length === 1 ? 'it' : 'them'} with defineTool (docs/tools.md), and add ${unusable.length === 1 ? 'it' : 'them'} there.`,
        );
      const value = { ...fields, ...(known.length > 0 && { client_ids: known }), ...(usable.length > 0 && { enabled_tools: usable }) };
      this.files.set(key, { ...file, value });
    }
  }

  /** The value with its secrets hidden, and with texts that only look like placeholders of ours written so that they are sent as they are. */
  #written(value: JsonObject, kind: DraftKind, id: string, at: At, from: Readonly<Record<string, string>>): JsonObject {
    const own = this.#secrets.inFile(value, kind === 'llm' ? id : (id.split('@')[0] ?? id), (message, [field = '']) =>
      this.note({ ...at, pointer: from[field] ?? at.pointer }, message),
    );
    if (this.expandsVariables) return own;
    const literal = (part: Json, field: string): Json => {
      if (typeof part === 'string') {
        const text = literalText(part);
        if (text !== part)
          this.note(
            { ...at, pointer: from[field] ?? at.pointer },
            `${shown(field)} holds text such as \${NAME}, which would be an environment variable here. It is written as \${DOLLAR:-$}{NAME} and sent as it was.`,
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

/** The place of a member. */
export function within({ source, pointer }: At, ...segments: readonly (string | number)[]): At {
  return { source, pointer: pointer + pointerOf(...segments) };
}

/** A path from the folder of a file, normalised; undefined where it is absolute or leads out of the folder that files are read from. */
export function besidePath(file: string, path: string): string | undefined {
  if (/^(?:[a-z]+:|[/\\~])/i.test(path)) return undefined;
  const segments = file.split('/').slice(0, -1);
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.length === 0 ? undefined : segments.join('/');
}
