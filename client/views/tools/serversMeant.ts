import * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import type { ProjectIndex } from '../../../core/config/projectIndex.js';
import { AgentStackError } from '../../../core/errors.js';
import { isObject } from '../../../core/json.js';
import type { Project } from '../../../core/project/types.js';
import type { ProjectFolder } from '../../projects.js';

/**
 * The ids of the servers that a command is called for: the one of a node, those of an agent whose file or node it is, else all of the
 * project.
 */
export async function serversMeant(
  project: Project,
  index: ProjectIndex,
  folder: ProjectFolder,
  argument: unknown,
): Promise<readonly string[]> {
  const servers = index.value('mcp', 'mcp')?.servers;
  const all = isObject(servers) ? Object.keys(servers) : [];
  if (isServerNode(argument)) return all.filter((id) => id === argument.name);
  const uri = argument instanceof vscode.Uri ? argument : nodeUri(argument);
  const path = uri && folder.pathOf(uri);
  const identity = path === undefined ? undefined : identifyFile(path, index.settings);
  if (identity?.kind !== 'agent' || identity.version === undefined) return all;
  try {
    const { resolved } = await project.factory.load(identity.name, identity.version);
    const own = Object.keys(resolved.servers);
    return own.length > 0 ? own : all;
  } catch (error) {
    // An agent with mistakes may still want its tools listed: that is how some of them are put right.
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
