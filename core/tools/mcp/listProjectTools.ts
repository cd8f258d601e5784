import type { ProjectIndex } from '../../config/projectIndex.js';
import { AgentStackError, ToolExecutionError } from '../../errors.js';
import type { McpInput, McpLock, McpServer } from '../../generated/types.js';
import { isObject } from '../../json.js';
import type { Ports } from '../../ports.js';
import { failureWords } from './failureOutcome.js';
import type { ServerTool } from './listing.js';
import { acceptChanges, type LockState, updateLock, withoutServers } from './lock.js';
import { lockPath, readLock, writeLock } from './lockFile.js';
import { McpFailure } from './mcpFailure.js';
import type { ResolveInput } from './resolveServer.js';
import { type McpPorts, ServerSession } from './serverSession.js';

export interface ListProjectToolsOptions {
  readonly project: ProjectIndex;
  readonly ports: McpPorts & Pick<Ports, 'files' | 'sha256'>;
  readonly resolveInput: ResolveInput;
  /** Which servers are started. Default: all of mcp.json. */
  readonly client_ids?: readonly string[];
  /** Puts what is listed now in place of what was pinned, where they differ. Default false. */
  readonly accept?: boolean;
  readonly signal?: AbortSignal;
}

/** What one server listed. */
export interface ServerListing {
  readonly client_id: string;
  /** Why it listed nothing; its part of the lock stays as it was. */
  readonly failure?: AgentStackError;
  /** Each of its tools, by the server's own name, compared with what was pinned before. */
  readonly tools: ReadonlyMap<string, LockState>;
  /** What it listed and is left out, with the reason, in words that follow "The server". */
  readonly warnings: readonly string[];
}

export interface ProjectListing {
  readonly servers: readonly ServerListing[];
  /** As it is in the file now. */
  readonly lock: McpLock;
  /** Project path of the lock. */
  readonly path: string;
  /** Whether the file was written. */
  readonly written: boolean;
}

/**
 * Starts servers of a project, has them list their tools, ends them, and keeps what they listed in the lock. New tools are pinned; what differs
 * is kept beside what is pinned, unless it is accepted.
 *
 * @throws ConfigInvalidError for a file in the lock's place that is none, StorageError, or the signal's reason. What a server does is in its listing
 */
export async function listProjectTools(options: ListProjectToolsOptions): Promise<ProjectListing> {
  const { project, ports, accept = false, signal = new AbortController().signal } = options;
  const path = lockPath(project.settings.config_dir);
  await readLock(ports.files, path);
  const mcp = project.value('mcp', 'mcp');
  const known = isObject(mcp?.servers) ? mcp.servers : {};
  const ids = (options.client_ids ?? Object.keys(known)).filter((id) => Object.hasOwn(known, id));
  const listings = await Promise.all(
    ids.map(async (client_id) => {
      // The caller has checked both with their schema; a server of another form fails by itself.
      const inputs = (Array.isArray(mcp?.inputs) ? mcp.inputs : []) as readonly McpInput[];
      const definition = known[client_id] as unknown as McpServer;
      const { resolveInput } = options;
      return { client_id, ...(await listServer(new ServerSession({ client_id, definition, inputs, resolveInput, ports }), signal)) };
    }),
  );
  signal.throwIfAborted();
  // Servers may take minutes; who else has written the lock meanwhile is not overwritten.
  let lock = await readLock(ports.files, path);
  const servers: ServerListing[] = [];
  for (const { client_id, failure, listed, warnings } of listings) {
    if (failure !== undefined) {
      servers.push({ client_id, failure, tools: new Map(), warnings });
      continue;
    }
    const update = updateLock(lock, client_id, listed, ports.sha256);
    lock = accept ? acceptChanges(update.lock, client_id) : update.lock;
    servers.push({ client_id, tools: update.states, warnings });
  }
  // An mcp.json that cannot be read says nothing about which servers there are.
  if (mcp !== undefined) lock = withoutServers(lock, (id) => Object.hasOwn(known, id));
  const hasListed = servers.some(({ failure }) => failure === undefined);
  const written = hasListed && (await writeLock(ports.files, path, lock));
  return { servers, lock, path, written };
}

async function listServer(
  session: ServerSession,
  signal: AbortSignal,
): Promise<{ readonly failure?: AgentStackError; readonly listed: readonly ServerTool[]; readonly warnings: readonly string[] }> {
  const nothing = { listed: [], warnings: [] };
  try {
    return { listed: [...(await session.tools(signal)).values()], warnings: session.warnings };
  } catch (error) {
    signal.throwIfAborted();
    const { client_id } = session;
    if (error instanceof McpFailure) {
      return { failure: new ToolExecutionError(client_id, failureWords(client_id, error), { cause: error }), ...nothing };
    }
    if (error instanceof AgentStackError) return { failure: error, ...nothing };
    throw error;
  } finally {
    await session.close();
  }
}
