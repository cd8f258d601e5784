import type { Registered } from '../config/projectIndex.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { createToolRegistry } from '../tools/registry.js';
import type { Tool } from '../tools/types.js';

/** Loads the tools that a module of the project exports. @param module its project path */
export type LoadModule = (module: string) => Promise<readonly Tool[]>;

/** The tools of code that a project has with its settings of the moment. */
export interface OwnTools {
  readonly tools: readonly Tool[];
  readonly registered: Registered;
}

export interface OwnToolsOptions {
  /** The program's own, which take the place of those of the module that have their names. */
  readonly tools: readonly Tool[];
  /** Names of the program's own providers. */
  readonly providers: readonly string[];
  /** `never`: the module is left alone, and any name may be one of its tools. */
  readonly load: LoadModule | 'never';
}

/** Finds the tools of code: those of the program, and those of the module that agentstack.json names. */
export function createOwnTools({ tools, providers, load }: OwnToolsOptions): (settings: ProjectSettings) => Promise<OwnTools> {
  const names = new Set(tools.map(({ name }) => name));
  return async ({ tools: module }) => {
    if (module === undefined || load === 'never') return { tools, registered: { tools, providers, isModuleLoaded: false } };
    try {
      const exported = await load(module);
      createToolRegistry(exported).check(await loadSchemaCompiler());
      const all = [...tools, ...exported.filter(({ name }) => !names.has(name))];
      return { tools: all, registered: { tools: all, providers, isModuleLoaded: true } };
    } catch (error) {
      const moduleProblem = `The tools of ${module} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
      return { tools, registered: { tools, providers, isModuleLoaded: false, moduleProblem } };
    }
  };
}
