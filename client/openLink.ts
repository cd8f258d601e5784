import * as vscode from 'vscode';

/** Opens an address that a model wrote, if it leads into the web: VS Code asks first, unless the user trusts the domain. */
export async function openLink(address: string): Promise<void> {
  if (/^(?:https?|mailto):/i.test(address)) await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
