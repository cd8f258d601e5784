import { secretVariable } from '../../../core/secrets/secretVariable.js';
import { storageKey } from '../../ports/storedKeys.js';
import { projectKeys } from '../../ports/workspaceKeys.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** The stored keys that a project names, and no others, as the variables in which a command looks for them. */
export async function keysForProcess({ extension }: Services, folder: ProjectFolder): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const { kind, name } of await projectKeys(folder)) {
    const key = await extension.secrets.get(storageKey(name));
    if (key !== undefined) found[kind === 'variable' ? name : secretVariable(name)] = key;
  }
  return found;
}
