import * as vscode from 'vscode';
import type { Project } from '../core/project/types.js';
import type { ProjectFolder } from './projects.js';
import type { ProjectText, Services } from './services.js';

/** The project with the editor's side of every port: its files, keys, log and environment. The engine is loaded with the first one. */
export async function openEditorProject(services: Services, folder: ProjectFolder, text: ProjectText): Promise<Project> {
  const [
    { openProject },
    { UntrustedCodeError },
    { createEditorPorts },
    { vscodeModels },
    { McpInputs },
    { answerServer },
    { toTrustedTools },
  ] = await Promise.all([
    import('../core/node/openProject.js'),
    import('../core/project/ownTools.js'),
    import('./ports/editorPorts.js'),
    import('./ports/languageModelProvider.js'),
    import('./ports/mcpInputs.js'),
    import('./ports/serverQuestions.js'),
    import('./ports/toolGrants.js'),
  ]);
  const environment_name = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
  return openProject(folder.root, {
    ports: await createEditorPorts(services, folder, text),
    providers: [vscodeModels],
    loadTools: vscode.workspace.isTrusted ? services.loadTools : () => Promise.reject(new UntrustedCodeError()),
    resolveInput: new McpInputs(services, folder).resolve,
    answer: answerServer,
    // User settings only: a workspace cannot trust itself.
    trustedTools: toTrustedTools(vscode.workspace.getConfiguration('agentStack').inspect('mcp.trustedTools')?.globalValue),
    ...(environment_name !== '' && { environment_name }),
  });
}
