import type { Memento } from 'vscode';
import type { ToolOrigin } from '../../core/config/toolChoice.js';
import type { TrustedTools } from '../../core/tools/openTools.js';

/** A tool that may be called without asking while its definition is the one that was approved. */
export interface ToolGrant {
  /** Id of the MCP server, or `skill`. */
  readonly source: string;
  /** Its name at the source. */
  readonly tool: string;
  /** SHA-256 of its description and parameters, as the lock has it. */
  readonly hash: string;
}

/** The requested tool and where it comes from. */
export interface GrantedTool {
  readonly name: string;
  readonly origin: ToolOrigin;
}

/**
 * Which tools of a project the user has allowed for good. Kept in the extension's own state, so that no file of a project can allow
 * anything.
 */
export class ToolGrants {
  readonly #memory: Memento;
  readonly #key: string;

  /** @param root absolute path of the project */
  constructor(memory: Memento, root: string) {
    this.#memory = memory;
    this.#key = `agentStack.toolGrants:${root}`;
  }

  all(): readonly ToolGrant[] {
    const kept: unknown = this.#memory.get(this.#key);
    return Array.isArray(kept) ? kept.filter(isGrant) : [];
  }

  /** @param hash of the current tool: if it has changed, the user is asked again */
  has(tool: GrantedTool, hash: string): boolean {
    const { source, name } = placeOf(tool);
    return this.all().some((grant) => grant.source === source && grant.tool === name && grant.hash === hash);
  }

  async add(tool: GrantedTool, hash: string): Promise<void> {
    const { source, name } = placeOf(tool);
    const others = this.all().filter((grant) => grant.source !== source || grant.tool !== name);
    await this.#memory.update(this.#key, [...others, { source, tool: name, hash }]);
  }

  async remove(taken: readonly ToolGrant[]): Promise<void> {
    const isTaken = ({ source, tool }: ToolGrant) => taken.some((grant) => grant.source === source && grant.tool === tool);
    const remaining = this.all().filter((grant) => !isTaken(grant));
    await this.#memory.update(this.#key, remaining.length === 0 ? undefined : remaining);
  }
}

/** `agentStack.mcp.trustedTools` as core takes it; entries of another form are ignored. */
export function toTrustedTools(setting: unknown): TrustedTools {
  if (typeof setting !== 'object' || setting === null) return {};
  const entries = Object.entries(setting).flatMap(([client_id, tools]: [string, unknown]) =>
    Array.isArray(tools) ? [[client_id, tools.filter((tool): tool is string => typeof tool === 'string')] as const] : [],
  );
  return Object.fromEntries(entries);
}

/**
 * Whether the user's own settings declare a tool of a server read-only, so that no approval is needed.
 *
 * @param trusted `agentStack.mcp.trustedTools`, which may hold anything
 */
export function isTrustedTool(trusted: unknown, { origin }: GrantedTool): boolean {
  if (origin.type !== 'mcp') return false;
  const tools = toTrustedTools(trusted);
  return Object.hasOwn(tools, origin.client_id) && tools[origin.client_id]?.includes(origin.name) === true;
}

function placeOf({ name, origin }: GrantedTool): { readonly source: string; readonly name: string } {
  return origin.type === 'mcp' ? { source: origin.client_id, name: origin.name } : { source: origin.type, name };
}

function isGrant(value: unknown): value is ToolGrant {
  if (typeof value !== 'object' || value === null) return false;
  const { source, tool, hash } = value as Readonly<Record<string, unknown>>;
  return typeof source === 'string' && typeof tool === 'string' && typeof hash === 'string';
}
