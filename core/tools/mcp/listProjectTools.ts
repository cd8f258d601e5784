import type { ProjectIndex } from '../../config/projectIndex.js';
import { AgentStackError } from '../../errors.js';
import type { McpInput, McpLock, McpServer } from '../../generated/types.js';
import { isObject } from '../../json.js';
import type { Ports } from '../../ports.js';
import type { ServerTool } from './listing.js';
import { acceptChanges, type LockState, updateLock, withoutServers } from './lock.js';
import { lockPath, readLock, writeLock } from './lockFile.js';
import { toToolError } from './mcpFailure.js';
import type { ResolveInput } from './resolveServer.js';
import { type McpPorts, ServerSession } from './serverSession.js';

export interface ListProjectToolsOptions {
  readonly project: ProjectIndex;
  readonly ports: McpPorts & Pick<Ports, 'files' | 'sha256'>;
  readonly resolveInput: ResolveInput;
  /** The servers to start. Default: all of mcp.json. */
  readonly client_ids?: readonly string[];
  /** Pins the tools as they are listed now, where they differ. Default false. */
  readonly accept?: boolean;
  readonly signal?: AbortSignal;
}

/** The tools of one server. */
export interface ServerListing {
  readonly client_id: string;
  /** Why it could not be listed; its part of the lock is unchanged. */
  readonly failure?: AgentStackError;
  /** Each of its tools, by the server's own name, compared with the lock before. */
  readonly tools: ReadonlyMap<string, LockState>;
  /** Tools that were left out, with the reason, as phrases after "The server". */
  readonly warnings: readonly string[];
}

export interface ProjectListing {
  readonly servers: readonly ServerListing[];
  /** The current content of the file. */
  readonly lock: McpLock;
  /** Project path of the lock. */
  readonly path: string;
  /** Whether the file was written. */
  readonly written: boolean;
}

/**
 * Starts servers of a project, lists their tools, ends them, and updates the lock. New tools are pinned; a changed tool is kept beside the pinned
 * one, unless changes are accepted.
 *
 * @throws ConfigInvalidError for an invalid lock file, StorageError, or the signal's reason. Failures of servers are in their listings
 */
export async function listProjectTools(options: ListProjectToolsOptions): Promise<ProjectListing> {
  const { project, ports, accept = false, signal = new AbortController().signal } = options;
  const path = lockPath(project.settings.config_dir);
  await readLock(ports.files, path);
  const mcp = project.value('mcp', 'mcp');
  const configured = isObject(mcp?.servers) ? mcp.servers : {};
  const ids = (options.client_ids ?? Object.keys(configured)).filter((id) => Object.hasOwn(configured, id));
  const listings = await Promise.all(
    ids.map(async (client_id) => {
      // The caller has validated both; an invalid server fails by itself.
      const inputs = (Array.isArray(mcp?.inputs) ? mcp.inputs : []) as readonly McpInput[];
      const definition = configured[client_id] as unknown as McpServer;
      const { resolveInput } = options;
      return { client_id, ...(await listServer(new ServerSession({ client_id, definition, inputs, resolveInput, ports }), signal)) };
    }),
  );
  signal.throwIfAborted();
  // Servers may take minutes: changes of the lock by others meanwhile are kept.
  let lock = await readLock(ports.files, path);
  const servers: ServerListing[] = [];
  for (const { client_id, failure, listed, protocol, warnings } of listings) {
    if (failure !== undefined) {
      servers.push({ client_id, failure, tools: new Map(), warnings });
      continue;
    }
    const update = updateLock(lock, client_id, listed, ports.sha256, protocol);
    lock = accept ? acceptChanges(update.lock, client_id) : update.lock;
    servers.push({ client_id, tools: update.states, warnings });
  }
  // An unreadable mcp.json does not say which servers exist.
  if (mcp !== undefined) lock = withoutServers(lock, (id) => Object.hasOwn(configured, id));
  const hasListed = servers.some(({ failure }) => failure === undefined);
  const written = hasListed && (await writeLock(ports.files, path, lock));
  return { servers, lock, path, written };
}

interface Listed {
  readonly failure?: AgentStackError;
  readonly listed: readonly ServerTool[];
  readonly protocol?: string | undefined;
  readonly warnings: readonly string[];
}

async function listServer(session: ServerSession, signal: AbortSignal): Promise<Listed> {
  const empty = { listed: [], warnings: [] };
  try {
    return { listed: [...(await session.tools(signal)).values()], protocol: session.protocol, warnings: session.warnings };
  } catch (error) {
    signal.throwIfAborted();
    const failure = toToolError(session.client_id, error);
    if (failure instanceof AgentStackError) return { failure, ...empty };
    throw failure;
  } finally {
    await session.close();
  }
}
