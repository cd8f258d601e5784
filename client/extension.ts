import type * as vscode from 'vscode';
import { createClient } from './client.js';
import { registerCommand } from './commands/command.js';
import { commands } from './commands/index.js';
import { laterViews, views } from './views/index.js';

/**
 * Registers commands and views, and nothing else: no file is read here. What nobody waits for, and the language client, which is a bundle of
 * its own, come right after this has returned.
 */
export function activate(extension: vscode.ExtensionContext): void {
  const client = createClient(extension);
  for (const command of commands) extension.subscriptions.push(registerCommand(client, command));
  for (const register of views) extension.subscriptions.push(register(client));
  setImmediate(() => {
    for (const register of laterViews) extension.subscriptions.push(register(client));
    void client.server.start();
  });
}
