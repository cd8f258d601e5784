import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import type { ProjectIndex } from '../../../core/config/projectIndex.js';
import { AgentStackError } from '../../../core/errors.js';
import { isObject, type JsonObject } from '../../../core/json.js';
import type { Project } from '../../../core/project/types.js';
import { listProjectTools, type ProjectListing, type ServerListing } from '../../../core/tools/mcp/listProjectTools.js';
import { done } from '../../done.js';
import { openEditorProject } from '../../editorProject.js';
import { requireProject } from '../../pickProject.js';
import { McpInputs } from '../../ports/mcpInputs.js';
import { toSignal } from '../../ports/toSignal.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { requireServers } from './requireServers.js';
import { showListing } from './showListing.js';

/** The result of a listing, for the caller of the command. */
export interface ListedTools {
  readonly servers: readonly {
    readonly client_id: string;
    readonly failure: string | null;
    readonly tools: Readonly<Record<string, string>>;
  }[];
  readonly written: boolean;
}

/**
 * Starts MCP servers, has them list their tools, ends them and keeps what they listed in the lock: all servers of a project, those of an
 * agent, or one.
 *
 * @throws Refusal in an untrusted workspace, if a server may not start, or without servers
 */
export async function listTools(services: Services, argument?: unknown): Promise<ListedTools | undefined> {
  requireTrust();
  const folder = await folderOf(services, argument);
  const project = await openEditorProject(services, folder, 'disk');
  const index = await project.index();
  const servers = index.value('mcp', 'mcp')?.servers;
  const client_ids = await serversToList(project, index, folder, argument);
  const clients: [string, JsonObject][] = client_ids.flatMap((id) => {
    const definition = isObject(servers) && Object.hasOwn(servers, id) ? servers[id] : undefined;
    return isObject(definition) ? [[id, definition]] : [];
  });
  if (clients.length === 0)
    throw new Refusal(vscode.l10n.t('There is no MCP server to ask: config/mcp.json names none.'), [
      { title: vscode.l10n.t('Create MCP Server'), run: () => vscode.commands.executeCommand('agentStack.createMcpServer', { folder }) },
    ]);
  await requireServers(services, folder, project, Object.fromEntries(clients));
  const listing = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Listing tools of {0}', client_ids.join(', ')),
      cancellable: true,
    },
    async (_progress, token) => {
      const { signal, release } = toSignal(token);
      try {
        const resolveInput = new McpInputs(services, folder).resolve;
        return await listProjectTools({ project: index, ports: project.ports, resolveInput, client_ids, signal });
      } catch (error) {
        if (signal.aborted) throw new vscode.CancellationError();
        throw error;
      } finally {
        release();
      }
    },
  );
  for (const { client_id, failure } of listing.servers) if (failure) services.log.warn(`MCP server ${client_id}: ${failure.message}`);
  void showListing(services, folder, listing);
  if (listing.servers.some(({ failure }) => !failure)) done('tools');
  return summaryOf(listing);
}

async function folderOf(services: Services, argument: unknown): Promise<ProjectFolder> {
  const folder = argument instanceof vscode.Uri ? services.projects.of(argument) : undefined;
  return folder ?? requireProject(services, argument);
}

function summaryOf({ servers, written }: ProjectListing): ListedTools {
  const toServer = ({ client_id, failure, tools }: ServerListing) => ({
    client_id,
    failure: failure?.message ?? null,
    tools: Object.fromEntries(tools),
  });
  return { servers: servers.map(toServer), written };
}

/**
 * The ids of the servers that a command is called for: the one of a node, those of an agent whose file or node it is, else all of the
 * project.
 */
async function serversToList(project: Project, index: ProjectIndex, folder: ProjectFolder, argument: unknown): Promise<readonly string[]> {
  const servers = index.value('mcp', 'mcp')?.servers;
  const all = isObject(servers) ? Object.keys(servers) : [];
  if (isServerNode(argument)) return all.filter((id) => id === argument.name);
  const uri = argument instanceof vscode.Uri ? argument : nodeUri(argument);
  const path = uri && folder.pathOf(uri);
  const identity = path === undefined ? undefined : identifyFile(path, index.settings);
  if (identity?.kind !== 'agent' || identity.version === undefined) return all;
  try {
    const { resolved } = await project.factory.load(identity.name, identity.version);
    const serverNames = Object.keys(resolved.servers);
    return serverNames.length > 0 ? serverNames : all;
  } catch (error) {
    // An agent with mistakes may still need its tools listed, which is how some mistakes are fixed.
    if (error instanceof AgentStackError) return all;
    throw error;
  }
}

function isServerNode(argument: unknown): argument is { readonly kind: 'mcpServer'; readonly name: string } {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === 'mcpServer' && 'name' in argument;
}

function nodeUri(argument: unknown): vscode.Uri | undefined {
  const uri = typeof argument === 'object' && argument !== null && 'uri' in argument ? argument.uri : undefined;
  return uri instanceof vscode.Uri ? uri : undefined;
}
