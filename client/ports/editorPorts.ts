import type * as vscode from 'vscode';
import type { Logger, Ports } from '../../core/ports.js';
import type { ProjectFolder } from '../projects.js';
import type { ProjectText, Services } from '../services.js';
import { createEditorFetch } from './editorFetch.js';
import { createEditorFiles } from './editorFiles.js';
import { createStoredKeys } from './storedKeys.js';

/** The ports in which an editor differs from Node. Everything else is Node's. */
export function createEditorPorts(services: Services, folder: ProjectFolder, text: ProjectText): Partial<Ports> {
  return {
    ...(text === 'editors' && { files: createEditorFiles(folder) }),
    logger: createLogger(services.log),
    secrets: createStoredKeys(services.extension.secrets),
    fetch: createEditorFetch(),
  };
}

/** The core's log in the output channel, at the level the user chose there. */
function createLogger(log: vscode.LogOutputChannel): Logger {
  return {
    log(level, message, fields) {
      const text = fields === undefined ? message : `${message} ${JSON.stringify(fields)}`;
      log[level](text);
    },
  };
}
