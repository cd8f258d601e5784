import * as vscode from 'vscode';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { requireProject } from '../pickProject.js';
import type { Services } from '../services.js';
import { isSystem, listProject } from '../views/agents/listing.js';

/** Writes the setting `agentStack.environment` of the workspace: an environment of the project, a new one, or none for the project's own choice. */
export async function selectEnvironment(services: Services, target?: unknown): Promise<void> {
  const folder = await requireProject(services, target);
  const { settings, environments } = await listProject(createNodeFiles(folder.root), async () => undefined);
  const configuration = vscode.workspace.getConfiguration('agentStack', folder.uri);
  const current = configuration.get<string>('environment', '');
  const names = environments.filter((each) => !isSystem(each)).map(({ name }) => name);
  const isNode = typeof target === 'object' && target !== null && 'kind' in target && target.kind === 'environment' && 'name' in target;
  const chosen = isNode ? { value: String(target.name) } : await pick(names, settings.environment, current);
  if (chosen === undefined) return;
  if (chosen.value === undefined) {
    await vscode.commands.executeCommand('agentStack.createEnvironment', { folder });
    return;
  }
  const isMultiRoot = vscode.workspace.workspaceFile !== undefined;
  const scope = isMultiRoot ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Workspace;
  await configuration.update('environment', chosen.value === '' ? undefined : chosen.value, scope);
}

async function pick(
  names: readonly string[],
  projectDefault: string,
  current: string,
): Promise<{ readonly value: string | undefined } | undefined> {
  const { t } = vscode.l10n;
  const active = (is: boolean) => (is ? { iconPath: new vscode.ThemeIcon('check') } : { iconPath: new vscode.ThemeIcon('blank') });
  const missing = current !== '' && !names.includes(current) ? [current] : [];
  const items = [
    { label: t("Project's own"), description: projectDefault, value: '', ...active(current === '') },
    ...[...names, ...missing].map((label) => ({
      label,
      value: label,
      ...(missing.includes(label) && { description: t('there is no such file') }),
      ...active(label === current),
    })),
    { label: t('New environment...'), value: undefined, iconPath: new vscode.ThemeIcon('add') },
  ];
  return vscode.window.showQuickPick(items, {
    title: t('Select Environment'),
    placeHolder: t('Which environment applies in this workspace?'),
  });
}
