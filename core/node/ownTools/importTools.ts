import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadModule } from '../../project/ownTools.js';
import { moduleTools } from '../../tools/moduleTools.js';
import type { Tool } from '../../tools/types.js';

/** A module of tools. */
export interface ToolsModule {
  /** Absolute path of the project. */
  readonly root: string;
  /** Absolute path of the module, which is in the project. */
  readonly path: string;
  /** Names of the environment variables that it sees in a separate process, in addition to those that every program gets. Default: none. */
  readonly variables?: readonly string[];
}

/** Loads the tools that a module exports. @throws UntrustedCodeError if its code may not run */
export type LoadTools = (module: ToolsModule) => Promise<readonly Tool[]>;

/** The tools that a module exports, loaded into this process. Node caches modules, so a change of the file takes effect in the next process. */
export async function importTools({ path }: Pick<ToolsModule, 'path'>): Promise<readonly Tool[]> {
  return moduleTools(await import(pathToFileURL(path).href));
}

/** Loads modules of the project in `root`, an absolute path, but none from outside it. */
export function createModuleLoader(root: string, load: LoadTools | 'never' = importTools): LoadModule | 'never' {
  return load === 'never' ? load : async (module, variables) => load({ root, path: await pathInProject(root, module), variables });
}

/** @throws Error for a file that does not exist, or for a link that leads out of the project */
async function pathInProject(root: string, module: string): Promise<string> {
  const [folder, path] = await Promise.all([
    realpath(root),
    realpath(join(root, module)).catch((cause: unknown) => {
      throw new Error('there is no such file.', { cause });
    }),
  ]);
  const inside = relative(folder, path);
  if (inside === '..' || inside.startsWith(`..${sep}`)) throw new Error('it is a link that leads out of the project.');
  return path;
}
