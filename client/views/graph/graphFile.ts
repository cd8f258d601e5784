import type * as vscode from 'vscode';
import { identifyFile } from '../../../core/config/paths.js';
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

/** The file as an orchestration of its project; undefined when it is none. */
export async function orchestrationFile({ projects }: Pick<Services, 'projects'>, uri: vscode.Uri): Promise<GraphFile | undefined> {
  const folder = projects.of(uri);
  const path = folder?.pathOf(uri);
  if (folder === undefined || path === undefined) return undefined;
  const identity = identifyFile(path, await readProjectSettings(createEditorFiles(folder)));
  return identity?.kind === 'orchestration' ? { folder, uri, path, name: identity.name } : undefined;
}
