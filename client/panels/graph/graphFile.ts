import { existsSync } from 'node:fs';
import type * as vscode from 'vscode';
import { identifyFile, pathOf } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** An orchestration of a project. */
export interface GraphFile {
  readonly folder: ProjectFolder;
  readonly uri: vscode.Uri;
  /** Project path. */
  readonly path: string;
  readonly name: string;
}

/** The file as an orchestration of its project; undefined if it is not one. */
export async function orchestrationFile({ projects }: Pick<Services, 'projects'>, uri: vscode.Uri): Promise<GraphFile | undefined> {
  const folder = projects.of(uri);
  const path = folder?.pathOf(uri);
  if (folder === undefined || path === undefined) return undefined;
  const identity = identifyFile(path, await readProjectSettings(createEditorFiles(folder)));
  return identity?.kind === 'orchestration' ? { folder, uri, path, name: identity.name } : undefined;
}

/** A payload file of an orchestration. */
export interface TeamPayload {
  readonly folder: ProjectFolder;
  readonly orchestration: string;
  readonly case: string;
  /** Of the orchestration. */
  readonly uri: vscode.Uri;
}

/** The payload file of an orchestration that a file is; undefined for any other file. A file that may also be an agent's counts as the agent's. */
export async function teamPayload({ projects }: Pick<Services, 'projects'>, uri: vscode.Uri): Promise<TeamPayload | undefined> {
  const folder = projects.of(uri);
  const path = folder?.pathOf(uri);
  if (folder === undefined || path === undefined) return undefined;
  const settings = await readProjectSettings(createEditorFiles(folder));
  const identity = identifyFile(path, settings);
  if (identity?.kind !== 'payload' || identity.agent === undefined) return undefined;
  const team = folder.uriOf(pathOf('orchestration', identity.agent, settings));
  const agent = folder.uriOf(`${settings.config_dir}/agents/${identity.agent}`);
  if (existsSync(agent.fsPath) || !existsSync(team.fsPath)) return undefined;
  return { folder, orchestration: identity.agent, case: identity.name, uri: team };
}
