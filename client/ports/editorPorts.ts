import type { Ports } from '../../core/ports.js';
import type { ProjectFolder } from '../projects.js';
import type { ProjectText, Services } from '../services.js';
import { createEditorFetch } from './editorFetch.js';
import { createEditorFiles } from './editorFiles.js';
import { createEditorLogger } from './editorLogger.js';
import { createStoredKeys } from './storedKeys.js';

/** The ports in which an editor differs from Node. Everything else is Node's. */
export function createEditorPorts(services: Services, folder: ProjectFolder, text: ProjectText): Partial<Ports> {
  return {
    ...(text === 'editors' && { files: createEditorFiles(folder) }),
    logger: createEditorLogger(services.log),
    secrets: createStoredKeys(services.extension.secrets),
    fetch: createEditorFetch(),
  };
}
