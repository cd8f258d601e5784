import type { ServiceHost } from './host.js';

/** Folders that hold other people's files. */
const skipped = new Set(['node_modules', 'bower_components', 'vendor', '__pycache__']);

/**
 * The project folders in a workspace folder, itself included: those with agentstack.json or config/agents. Yields undefined for every other
 * folder, so that a walk through a large one can pause. Links and folders whose name begins with a dot are not entered.
 */
export async function* findProjects(
  folder: string,
  host: Pick<ServiceHost, 'listFolder'>,
): AsyncGenerator<string | undefined, void, undefined> {
  const folders = [folder];
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    const entries = host.listFolder(current);
    const child = (name: string) => (current?.endsWith('/') ? current + name : `${current}/${name}`);
    const hasSettings = entries.some(({ name, kind }) => name === 'agentstack.json' && kind === 'file');
    const hasConfig = entries.some(({ name, kind }) => name === 'config' && kind === 'directory');
    const isProject =
      hasSettings || (hasConfig && host.listFolder(child('config')).some(({ name, kind }) => name === 'agents' && kind === 'directory'));
    yield isProject ? current : undefined;
    for (const { name, kind } of entries) {
      if (kind === 'directory' && !name.startsWith('.') && !skipped.has(name)) folders.push(child(name));
    }
  }
}
