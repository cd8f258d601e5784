import type { Memento } from 'vscode';
import { isObject, type JsonObject } from '../../core/json.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';

/**
 * Which MCP servers of a project the user has allowed to start, each with its definition at that time. Kept in the extension's own state: for a
 * server
 * with another command or address the user is asked again.
 */
export class ServerConsent {
  readonly #memory: Memento;
  readonly #key: string;
  readonly #sha256: (text: string) => string;

  /** @param root absolute path of the project */
  constructor(memory: Memento, root: string, sha256: (text: string) => string) {
    this.#memory = memory;
    this.#key = `agentStack.mcpServers:${root}`;
    this.#sha256 = sha256;
  }

  /** Ids of servers that may start. */
  all(): readonly string[] {
    return [...this.#read().keys()];
  }

  has(id: string, definition: JsonObject): boolean {
    return this.#read().get(id) === this.#hash(definition);
  }

  async add(id: string, definition: JsonObject): Promise<void> {
    await this.#write(this.#read().set(id, this.#hash(definition)));
  }

  async remove(ids: readonly string[]): Promise<void> {
    const kept = this.#read();
    for (const id of ids) kept.delete(id);
    await this.#write(kept);
  }

  #read(): Map<string, string> {
    const kept: unknown = this.#memory.get(this.#key);
    if (!Array.isArray(kept)) return new Map();
    return new Map(
      kept.filter((entry): entry is [string, string] => Array.isArray(entry) && entry.every((part) => typeof part === 'string')),
    );
  }

  async #write(kept: ReadonlyMap<string, string>): Promise<void> {
    await this.#memory.update(this.#key, kept.size === 0 ? undefined : [...kept]);
  }

  #hash(definition: JsonObject): string {
    return this.#sha256(canonicalJson(withoutTools(definition)));
  }
}

/** What starting a server comes to, in one line, placeholders as they are written: a command line, or an address. */
export function serverLine(definition: JsonObject): string {
  const { command, args, url, cwd, env } = definition;
  if (typeof command !== 'string') return typeof url === 'string' ? url : '';
  const parts = [command, ...(Array.isArray(args) ? args : [])].map((part) => quoted(String(part)));
  // Variables appear by name: a value may be secret.
  const variables = isObject(env) ? Object.keys(env).map((name) => `${name}=…`) : [];
  return [...variables, ...parts, ...(typeof cwd === 'string' && cwd !== '' ? [`(${cwd})`] : [])].join(' ');
}

/** The ids of all `${input:x}` in a definition, each once. */
export function inputsOf(definition: JsonObject): readonly string[] {
  const inputs = JSON.stringify(withoutTools(definition)).matchAll(/\$\{input:([^{}"\\]+)\}/g);
  return [...new Set([...inputs].map(([, id]) => id ?? ''))];
}

/** The lock's tools travel with the definition of a frozen agent, and say nothing about how it is started. */
function withoutTools(definition: JsonObject): JsonObject {
  if (!isObject(definition)) return {};
  const { tools: _tools, ...rest } = definition;
  return rest;
}

function quoted(part: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(part) ? part : JSON.stringify(part);
}
