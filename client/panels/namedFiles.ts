import { posix } from 'node:path';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { FileProblem } from '../../core/ports.js';

/** A project and the folder of the workspace that it is in; both may be the same. */
export interface NamingPlace {
  readonly project: string;
  readonly workspace: string;
}

/**
 * Finds the files that a model has named, from the folder of the project or of the workspace, or with their absolute path. Nothing outside the
 * workspace is looked at, also through links, and a folder is no file.
 *
 * @returns the path from the folder of the workspace, by name
 */
export async function findNamedFiles({ project, workspace }: NamingPlace, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = createNodeFiles(workspace);
  const listed = new Map<string, ReadonlySet<string>>();

  async function listFiles(folder: string): Promise<ReadonlySet<string>> {
    try {
      return new Set((await files.list(folder)).flatMap(({ name, kind }) => (kind === 'file' ? name : [])));
    } catch (error) {
      // A folder outside, or one that cannot be read.
      if (error instanceof FileProblem) return new Set();
      throw error;
    }
  }

  async function hasFile(path: string): Promise<boolean> {
    const folder = path.includes('/') ? posix.dirname(path) : '';
    const names = listed.get(folder) ?? (await listFiles(folder));
    listed.set(folder, names);
    return names.has(posix.basename(path));
  }

  const root = slashes(workspace);
  const start = posix.relative(root, slashes(project));
  const paths = new Map<string, string>();
  for (const name of names) {
    const written = slashes(name);
    const candidates = written.startsWith(`${root}/`) ? [written.slice(root.length + 1)] : [posix.join(start, written), written];
    for (const path of candidates.map((candidate) => posix.normalize(candidate))) {
      if (paths.has(name) || !(await hasFile(path))) continue;
      paths.set(name, path);
    }
  }
  return paths;
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
