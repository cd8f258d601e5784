import * as vscode from 'vscode';
import { createEvalAdapters } from '../../../core/node/projectAdapters.js';
import type { EvalProject } from '../../../core/project/evalLoader.js';
import { openEditorProject } from '../../editorProject.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** The project on disk, as its cases are run. */
export async function openEvalProject(services: Services, folder: ProjectFolder): Promise<EvalProject> {
  const project = await openEditorProject(services, folder, 'disk');
  const environment = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
  const adapters = createEvalAdapters(folder.root, folder.root);
  return { project, adapters, environment: environment === '' ? undefined : environment };
}
