import type * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** A version of an agent in its project. */
export interface AgentFile {
  readonly folder: ProjectFolder;
  readonly agent_name: string;
  readonly version: string;
}

/** The agent that a file is; undefined for any other file. */
export async function findAgentFile({ projects }: Pick<Services, 'projects'>, uri: vscode.Uri): Promise<AgentFile | undefined> {
  const folder = projects.of(uri);
  const path = folder?.pathOf(uri);
  if (folder === undefined || path === undefined) return undefined;
  const identity = identifyFile(path, await readProjectSettings(createEditorFiles(folder)));
  if (identity?.kind !== 'agent' || identity.version === undefined) return undefined;
  return { folder, agent_name: identity.name, version: identity.version };
}
