import type * as vscode from 'vscode';
import { createEnvironmentSecrets, createNodeEnvironment } from '../../core/node/nodePorts.js';
import type { Secrets } from '../../core/ports.js';

/** Stores keys: VS Code's secret storage, and beside it the names (never the keys) of what is in there, which the storage does not list. */
export type KeyStore = Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>;

const namesKey = 'agentStack.storedKeys';

/** Under which name VS Code's secret storage keeps `secret://name`. */
export function storageKey(name: string): string {
  return `agentStack.secret.${name}`;
}

/** `secret://name` from VS Code's secret storage, else from the environment variable the command line would read. */
export function createStoredKeys(storage: vscode.SecretStorage): Secrets {
  const environment = createEnvironmentSecrets(createNodeEnvironment());
  return { get: async (name) => (await storage.get(storageKey(name))) ?? environment.get(name) };
}

export async function storeKey({ secrets, globalState }: KeyStore, name: string, key: string): Promise<void> {
  await secrets.store(storageKey(name), key);
  await globalState.update(namesKey, [...new Set([...storedNames({ globalState }), name])].sort());
}

export async function removeKey({ secrets, globalState }: KeyStore, name: string): Promise<void> {
  await secrets.delete(storageKey(name));
  await globalState.update(
    namesKey,
    storedNames({ globalState }).filter((each) => each !== name),
  );
}

/** Names of the keys stored here, sorted. */
export function storedNames({ globalState }: Pick<KeyStore, 'globalState'>): readonly string[] {
  const names = globalState.get<unknown>(namesKey, []);
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}
