import type { Ports } from '../../core/ports.js';
import type { Client } from '../client.js';
import type { ProjectFolder, ProjectText } from '../projects.js';
import { createEditorFetch } from './editorFetch.js';
import { createEditorFiles } from './editorFiles.js';
import { createEditorLogger } from './editorLogger.js';
import { createStoredKeys } from './storedKeys.js';

/** The ports in which an editor differs from Node. Everything else is Node's. */
export function createEditorPorts(client: Client, folder: ProjectFolder, text: ProjectText): Partial<Ports> {
  return {
    ...(text === 'editors' && { files: createEditorFiles(folder) }),
    logger: createEditorLogger(client.log),
    secrets: createStoredKeys(client.extension.secrets),
    fetch: createEditorFetch(),
  };
}
