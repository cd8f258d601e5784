import type * as vscode from 'vscode';
import type { Fetch, Logger, Ports } from '../../core/ports.js';
import type { ProjectFolder } from '../projects.js';
import type { ProjectText, Services } from '../services.js';
import { createEditorFiles } from './editorFiles.js';
import { createStoredKeys } from './storedKeys.js';

/** The ports in which an editor differs from Node. Everything else is Node's. */
export async function createEditorPorts(services: Services, folder: ProjectFolder, text: ProjectText): Promise<Partial<Ports>> {
  return {
    ...(text === 'editors' && { files: createEditorFiles(folder) }),
    logger: createLogger(services.log),
    knownSecrets: await services.cover.load(),
    secrets: createStoredKeys(services.extension.secrets),
    fetch: createFetch(),
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

/**
 * HTTP by the settings of VS Code: `http.proxy`, `http.proxySupport`, `http.noProxy` and the certificates of the system. The extension host
 * applies them to Node's default connections and reads HTTP_PROXY and its kind itself. Loaded with the first request.
 */
function createFetch(): Fetch {
  let loading: Promise<Fetch> | undefined;
  const load = async () => (await import('../../core/node/nodeFetch.js')).createNodeFetch({ connections: 'host' });
  return async (input, init) => {
    loading ??= load();
    return (await loading)(input, init);
  };
}
