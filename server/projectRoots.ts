import { identifyFile } from '../core/config/paths.js';
import { projectFolders } from '../core/config/projectFolders.js';
import { defaultSettings } from '../core/config/readSettings.js';
import type { ServiceHost } from './host.js';

/** Which project a file belongs to, on disk. */
export class ProjectRoots {
  private readonly host: Pick<ServiceHost, 'findProject'>;
  /** By folder. */
  private readonly roots = new Map<string, string | undefined>();

  constructor(host: Pick<ServiceHost, 'findProject'>) {
    this.host = host;
  }

  /** The root of the nearest project around a file, or of the project that an unsaved file will create. */
  of(file: string): string | undefined {
    const folder = file.slice(0, file.lastIndexOf('/')) || '/';
    if (!this.roots.has(folder)) this.roots.set(folder, this.host.findProject(folder) ?? futureRoot(file));
    return this.roots.get(folder);
  }

  /** To be called when files have been added or removed. */
  clear(): void {
    this.roots.clear();
  }
}

/** The path of a file within a project; empty for the project itself, and for a folder around it. */
export function projectPath({ root }: { readonly root: string }, file: string): string {
  if (file.length <= root.length) return '';
  return root.endsWith('/') ? file.slice(root.length) : file.slice(root.length + 1);
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The root of the project whose first file will be an unsaved document. A lone `config/mcp.json` may belong to any tool. */
function futureRoot(file: string): string | undefined {
  const at = file.lastIndexOf('/config/');
  if (at < 0) return undefined;
  const identity = identifyFile(file.slice(at + 1), defaultSettings);
  const place = file.slice(at + '/config/'.length).split('/', 1)[0] ?? '';
  return identity === undefined || !projectFolders.includes(place) ? undefined : file.slice(0, at) || '/';
}
