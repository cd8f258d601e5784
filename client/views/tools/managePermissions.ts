import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { requireProject } from '../../pickProject.js';
import { McpInputs } from '../../ports/mcpInputs.js';
import { ServerConsent } from '../../ports/serverConsent.js';
import { ToolGrants } from '../../ports/toolGrants.js';
import type { Services } from '../../services.js';

/** Shows the permissions granted in a project (tools, servers, stored inputs) and revokes the chosen ones. */
export async function managePermissions(services: Services, target?: unknown): Promise<void> {
  const folder = await requireProject(services, target);
  const { globalState } = services.extension;
  const grants = new ToolGrants(globalState, folder.root);
  const consent = new ServerConsent(globalState, folder.root, (text) => createHash('sha256').update(text).digest('hex'));
  const inputs = new McpInputs(services, folder);
  type Item = vscode.QuickPickItem & { readonly remove?: () => Promise<void> };
  const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const items: Item[] = [
    separator(vscode.l10n.t('Tools that are called without asking')),
    ...grants.all().map((grant): Item => ({ label: grant.tool, description: grant.source, remove: () => grants.remove([grant]) })),
    separator(vscode.l10n.t('MCP servers that may start')),
    ...consent.all().map((id): Item => ({ label: id, remove: () => consent.remove([id]) })),
    separator(vscode.l10n.t('Stored inputs of MCP servers')),
    ...inputs.stored().map((id): Item => ({ label: id, description: '••••••', remove: () => inputs.forget(id) })),
  ];
  if (!items.some(({ remove }) => remove)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing has been allowed in {0} so far.', folder.name));
    return;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('What is allowed in {0}', folder.name),
    placeHolder: vscode.l10n.t('Choose what to take back'),
    canPickMany: true,
  });
  for (const { remove } of chosen ?? []) await remove?.();
}
