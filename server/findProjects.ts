import { holdsMarkedFile, projectFolders } from '../core/config/projectFolders.js';
import type { ServiceHost } from './host.js';

/** Folders that hold installed packages and other generated files. */
const skipped = new Set(['node_modules', 'bower_components', 'vendor', '__pycache__']);

/** Whether a folder of this name is not searched for projects. */
export function isSkipped(name: string): boolean {
  return name.startsWith('.') || skipped.has(name);
}

/**
 * The project folders in a workspace folder, itself included: those with agentstack.json or a marked file in `config`. Yields
 * undefined for every other folder, so that a walk through a large one can pause. Links and folders whose name begins with a dot are not entered, and
 * neither are the configs of a project found: they contain no projects, and may have ten thousand folders.
 */
export async function* findProjects(
  folder: string,
  host: Pick<ServiceHost, 'listFolder' | 'readText'>,
): AsyncGenerator<string | undefined, void, undefined> {
  const folders = [folder];
  const configs = new Set<string>();
  const looker = { list: host.listFolder, read: host.readText };
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    const entries = host.listFolder(current);
    const child = (name: string) => (current?.endsWith('/') ? current + name : `${current}/${name}`);
    const hasSettings = entries.some(({ name, kind }) => name === 'agentstack.json' && kind === 'file');
    const hasConfig = entries.some(({ name, kind }) => name === 'config' && kind === 'directory');
    const isProject = hasSettings || (hasConfig && holdsMarkedFile(child('config'), looker));
    if (isProject) for (const name of projectFolders) configs.add(child(`config/${name}`));
    yield isProject ? current : undefined;
    for (const { name, kind } of entries) {
      if (kind === 'directory' && !isSkipped(name) && !configs.has(child(name))) folders.push(child(name));
    }
  }
}
