import * as vscode from 'vscode';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { providers } from '../../core/generated/providers.js';
import type { KeyPlace } from '../../core/llm/providers/apiKey.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import type { ProjectFolder } from '../projects.js';
import type { Services } from '../services.js';
import { createEditorFiles } from './editorFiles.js';
import { type KeyState, keyOfProfile, keyState, type NeededKey, neededKeys } from './neededKeys.js';
import { createStoredKeys, storageKey } from './storedKeys.js';

/** The keys that the projects of the workspace need, and those of built-in providers that none of them uses yet; each once. */
export async function workspaceKeys(services: Pick<Services, 'projects'>): Promise<readonly NeededKey[]> {
  const needed = new Map<string, NeededKey>();
  for (const folder of await services.projects.list()) {
    const { project, environment } = await readProject(folder);
    for (const key of neededKeys(project, environment)) if (!needed.has(key.name)) needed.set(key.name, key);
  }
  const used = new Set([...needed.values()].map(({ provider }) => provider));
  for (const { name: provider, keyVariable: name } of providers)
    if (name !== undefined && !used.has(provider)) needed.set(name, { kind: 'variable', name, provider, profiles: [] });
  return [...needed.values()];
}

/** Looks up all keys that are here, so that they are covered from now on. */
export async function learnKeys(services: Pick<Services, 'extension' | 'projects' | 'cover'>): Promise<void> {
  const stored = createStoredKeys(services.extension.secrets);
  const environment = createNodeEnvironment();
  const knownSecrets = await services.cover.load();
  for (const { kind, name } of await workspaceKeys(services)) {
    for (const value of [await stored.get(name), kind === 'variable' ? environment.get(name) : undefined])
      if (value !== undefined) knownSecrets.add(value);
  }
}

/** The key that an llm profile of a project needs; undefined where it needs none. */
export async function profileKey(folder: ProjectFolder, id: string): Promise<NeededKey | undefined> {
  const { project, environment } = await readProject(folder);
  return keyOfProfile(project, environment, id);
}

/** The secrets and variables that a project's models and MCP servers need, each once. */
export async function projectKeys(folder: ProjectFolder): Promise<readonly KeyPlace[]> {
  const { project, environment } = await readProject(folder);
  const servers = [...project.ids('mcp').keys()].map((id) => JSON.stringify(project.value('mcp', id) ?? {}));
  const ofServers = servers.flatMap((text) =>
    [...text.matchAll(/secret:\/\/([\w.-]+)/g)].map(([, name = '']): KeyPlace => ({ kind: 'secret', name })),
  );
  return [...neededKeys(project, environment), ...ofServers];
}

export async function stateOf({ extension }: Pick<Services, 'extension'>, key: Pick<NeededKey, 'kind' | 'name'>): Promise<KeyState> {
  const isStored = (await extension.secrets.get(storageKey(key.name))) !== undefined;
  return keyState(key, isStored, createNodeEnvironment());
}

/** No agent is read: the profiles name the keys that agents need. */
async function readProject(folder: ProjectFolder) {
  const project = await loadProjectIndex(createEditorFiles(folder), { agents: [] });
  const chosen = vscode.workspace.getConfiguration('agentStack', folder.uri).get<string>('environment', '');
  return { project, environment: chosen || project.settings.environment };
}
