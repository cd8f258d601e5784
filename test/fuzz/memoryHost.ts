import { createHash } from 'node:crypto';
import type { ServiceHost } from '../../server/host.js';
import { fixtureTools } from '../support/fixtureTools.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { testDay } from '../support/testDay.js';

const root = '/fuzz';

/** A host whose one project is in memory: a fresh service on it costs no disk. */
export function memoryHost(texts: Readonly<Record<string, string>>): ServiceHost {
  const files = memoryFiles(texts);
  const toPath = (uri: string) => (uri.startsWith('file://') ? decodeURIComponent(uri.slice('file://'.length)) : undefined);
  const inProject = (path: string) => (path === root ? '' : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined);
  return {
    environment: { get: (name) => (name === 'SET' ? 'set' : undefined), names: () => ['SET'] },
    nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
    openFiles: () => files,
    openCommitted: () => undefined,
    registeredIn: () => fixtureTools(texts),
    listFolder(folder) {
      const path = inProject(folder);
      return path === undefined ? [] : (files.list(path) as Exclude<ReturnType<typeof files.list>, Promise<unknown>>);
    },
    findProject: (folder) => (inProject(folder) === undefined ? undefined : root),
    readText: () => undefined,
    toPath,
    toUri: (path) => `file://${encodeURI(path)}`,
    rulePage: () => undefined,
    fieldsPage: () => undefined,
    today: () => testDay,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
  };
}

export const memoryRoot = root;
