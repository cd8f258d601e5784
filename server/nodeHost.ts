import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RegisteredFor } from '../core/config/loadProjectIndex.js';
import { dayOf } from '../core/day.js';
import { openCommittedFiles } from '../core/node/committedFiles.js';
import { findProject } from '../core/node/findProject.js';
import { createNodeFiles } from '../core/node/nodeFiles.js';
import { createNodeEnvironment } from '../core/node/nodePorts.js';
import { createModuleLoader } from '../core/node/ownTools/importTools.js';
import { createToolsLoader } from '../core/node/ownTools/toolsProcess.js';
import { rulePagePath } from '../core/node/rulePages.js';
import type { DirectoryEntry } from '../core/ports.js';
import { createOwnTools, UntrustedCodeError } from '../core/project/ownTools.js';
import { maxTextBytes } from './configDocument.js';
import type { HostOptions, ServiceHost } from './host.js';

/** The language service's host on Node. */
export function createNodeHost({ trusted, trustsCode = false }: HostOptions): ServiceHost {
  const pages = new Map<string, string | undefined>();
  const docs = docsFolder();
  const pageAt = (name: string) => {
    if (!pages.has(name)) {
      const page = docs === undefined ? undefined : join(docs, name);
      pages.set(name, page !== undefined && existsSync(page) ? pathToFileURL(page).href : undefined);
    }
    return pages.get(name);
  };
  return {
    environment: createNodeEnvironment(process.env),
    nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
    openFiles: createNodeFiles,
    openCommitted: (root, onMoved) => (trusted ? openCommittedFiles(root, onMoved) : undefined),
    registeredIn: (root) => registeredTools(root, trustsCode),
    listFolder,
    findProject(from) {
      const root = findProject(from);
      return root === undefined ? undefined : withSlashes(root);
    },
    readText,
    toPath(uri) {
      try {
        return uri.startsWith('file:') ? withSlashes(fileURLToPath(uri)) : undefined;
      } catch (error) {
        // A host without paths on this system, or a badly encoded one.
        if (error instanceof TypeError || error instanceof URIError) return undefined;
        throw error;
      }
    },
    toUri: (path) => pathToFileURL(path).href,
    rulePage(code) {
      if (docs !== undefined && !pages.has(code)) {
        const page = rulePagePath(docs, code);
        pages.set(code, page && pathToFileURL(page).href);
      }
      return pages.get(code);
    },
    fieldsPage(kind) {
      const page = pageAt('config.md');
      return page && `${page}#${kind === 'settings' ? 'agentstack' : kind}`;
    },
    today: () => dayOf(Date.now()),
    sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}

/** The tools of the module that the settings name, listed by a short-lived separate process, if the user trusts its code. */
function registeredTools(root: string, trustsCode: boolean): RegisteredFor {
  const load = trustsCode ? createToolsLoader({ idle_ms: 1000 }) : () => Promise.reject(new UntrustedCodeError());
  const ownTools = createOwnTools({ tools: [], providers: [], load: createModuleLoader(root, load) });
  return async (settings) => (await ownTools(settings)).registered;
}

/** The docs folder of the package that contains this file. */
function docsFolder(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const docs = join(folder, 'docs');
    if (existsSync(join(folder, 'package.json'))) return existsSync(docs) ? docs : undefined;
  }
  return undefined;
}

function withSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

function listFolder(folder: string): readonly DirectoryEntry[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map((entry): DirectoryEntry => {
      return { name: entry.name, kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other' };
    });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function readText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= maxTextBytes ? readFileSync(path, 'utf8') : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
