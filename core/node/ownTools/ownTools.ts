import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ProjectSettings } from '../../config/projectSettings.js';
import type { Registered } from '../../config/registered.js';
import { loadSchemaCompiler } from '../../schema/loadSchemaCompiler.js';
import { createToolRegistry } from '../../tools/registry.js';
import type { Tool } from '../../tools/types.js';

/** Loads the tools that a module exports. Both paths are absolute; `path` is that of the module, which is in the project `root`. */
export type LoadTools = (module: { readonly root: string; readonly path: string }) => Promise<readonly Tool[]>;

/** The tools of code that a project has with its settings of the moment. */
export interface OwnTools {
  readonly tools: readonly Tool[];
  readonly registered: Registered;
}

export interface OwnToolsOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** The program's own, which take the place of those of the module that have their names. */
  readonly tools: readonly Tool[];
  /** Names of the program's own providers. */
  readonly providers: readonly string[];
  /** `never`: the module is left alone, and any name may be one of its tools. */
  readonly load: LoadTools | 'never';
}

/** Finds the tools of code: those of the program, and those of the module that agentstack.json names. */
export function createOwnTools({ root, tools, providers, load }: OwnToolsOptions): (settings: ProjectSettings) => Promise<OwnTools> {
  const names = new Set(tools.map(({ name }) => name));

  async function ofModule(module: string, load: LoadTools): Promise<readonly Tool[]> {
    const path = await pathInProject(root, module);
    const found = await load({ root, path });
    createToolRegistry(found).check(await loadSchemaCompiler());
    return found;
  }

  return async ({ tools: module }) => {
    if (module === undefined || load === 'never') return { tools, registered: { tools, providers, isModuleLoaded: false } };
    try {
      const all = [...tools, ...(await ofModule(module, load)).filter(({ name }) => !names.has(name))];
      return { tools: all, registered: { tools: all, providers, isModuleLoaded: true } };
    } catch (error) {
      const moduleProblem = `The tools of ${module} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
      return { tools, registered: { tools, providers, isModuleLoaded: false, moduleProblem } };
    }
  };
}

/** @throws Error for a file that is not there, or that a link leads to outside of the project */
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
