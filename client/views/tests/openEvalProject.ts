import * as vscode from 'vscode';
import type { EvalProject } from '../../../core/node/projectEvals.js';
import { openEditorProject } from '../../editorProject.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** The project on the disk, as its cases are asked. */
export async function openEvalProject(services: Services, folder: ProjectFolder): Promise<EvalProject> {
  const project = await openEditorProject(services, folder, 'disk');
  const environment = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
  return { root: folder.root, project, environment: environment === '' ? undefined : environment };
}
