import type * as vscode from 'vscode';
import { type Client, createClient } from './client.js';
import { registerCommand } from './command.js';
import { commands } from './commands/index.js';
import { views } from './views/index.js';

/**
 * Registers commands and views, and nothing else: no file is read here. Views that can wait, and the language client, are bundles of their
 * own and come right after this has returned.
 */
export function activate(extension: vscode.ExtensionContext): void {
  const client = createClient(extension);
  for (const command of commands) extension.subscriptions.push(registerCommand(client, command));
  for (const register of views) extension.subscriptions.push(register(client));
  setImmediate(() => {
    addLaterViews(client).catch((error: unknown) =>
      client.log.error('Views could not be added', error instanceof Error ? error : String(error)),
    );
  });
}

async function addLaterViews(client: Client): Promise<void> {
  try {
    const { laterViews } = await import('./views/laterViews.js');
    for (const register of laterViews) client.extension.subscriptions.push(register(client));
  } finally {
    // The server starts even when a view fails.
    void client.server.start();
  }
}
