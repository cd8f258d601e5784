import type { Registered } from '../config/projectIndex.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { createToolRegistry } from '../tools/registry.js';
import type { Tool } from '../tools/types.js';

/**
 * Loads the tools that a module of the project exports.
 *
 * @param module its project path
 * @param variables names of the environment variables that its code may see, if it runs in a separate process
 * @throws UntrustedCodeError if its code may not run
 */
export type LoadModule = (module: string, variables: readonly string[]) => Promise<readonly Tool[]>;

/** The project is not trusted, so none of its code was run. */
export class UntrustedCodeError extends Error {
  override readonly name = 'UntrustedCodeError';
}

/** The tools in code, by the current settings of a project. */
export interface OwnTools {
  readonly tools: readonly Tool[];
  readonly registered: Registered;
}

export interface OwnToolsOptions {
  /** The program's own, which replace those of the module with the same names. */
  readonly tools: readonly Tool[];
  /** Names of the program's own providers. */
  readonly providers: readonly string[];
  /** `never`: the module is not loaded, and any name may be one of its tools. */
  readonly load: LoadModule | 'never';
}

/** Finds the tools in code: those of the program, and those of the module in agentstack.json. */
export function createOwnTools({ tools, providers, load }: OwnToolsOptions): (settings: ProjectSettings) => Promise<OwnTools> {
  const names = new Set(tools.map(({ name }) => name));
  return async ({ tools: module, tools_env = [] }) => {
    if (module === undefined || load === 'never') return { tools, registered: { tools, providers, isModuleLoaded: false } };
    try {
      const exported = await load(module, tools_env);
      createToolRegistry(exported).check(await loadSchemaCompiler());
      const all = [...tools, ...exported.filter(({ name }) => !names.has(name))];
      return { tools: all, registered: { tools: all, providers, isModuleLoaded: true } };
    } catch (error) {
      const unloaded = { tools, providers, isModuleLoaded: false };
      if (error instanceof UntrustedCodeError) return { tools, registered: { ...unloaded, moduleUnseen: unseen(module) } };
      const moduleProblem = `The tools of ${module} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
      return { tools, registered: { ...unloaded, moduleProblem } };
    }
  };
}

/** The message about a module whose code may not run. */
function unseen(module: string): string {
  return (
    `The tools of ${module} were not looked at, as they are code of a project that nobody has trusted. Trust it with \`agent-stack trust\`, ` +
    'for one command with --trust or AGENT_STACK_TRUST=1, in an editor by trusting the workspace.'
  );
}
