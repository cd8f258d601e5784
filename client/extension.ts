import type * as vscode from 'vscode';
import { createClient } from './client.js';
import { registerCommand } from './commands/command.js';
import { commands } from './commands/index.js';
import { views } from './views/index.js';

/**
 * Registers commands and views, and nothing else: no file is read here. The language client is a bundle of its own, started
 * right after this has returned.
 */
export function activate(extension: vscode.ExtensionContext): void {
  const client = createClient(extension);
  for (const command of commands) extension.subscriptions.push(registerCommand(client, command));
  for (const register of views) extension.subscriptions.push(register(client));
  setImmediate(() => void client.server.start());
}
