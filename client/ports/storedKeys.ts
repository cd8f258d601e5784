import type * as vscode from 'vscode';
import { createEnvironmentSecrets, createNodeEnvironment } from '../../core/node/nodePorts.js';
import type { Secrets } from '../../core/ports.js';

/** Under which name VS Code's secret storage keeps `secret://name`. */
export function storageKey(name: string): string {
  return `agentStack.secret.${name}`;
}

/** `secret://name` from VS Code's secret storage, else from the environment variable the command line would read. */
export function createStoredKeys(storage: vscode.SecretStorage): Secrets {
  const environment = createEnvironmentSecrets(createNodeEnvironment());
  return { get: async (name) => (await storage.get(storageKey(name))) ?? environment.get(name) };
}
