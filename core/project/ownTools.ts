import type { Registered } from '../config/projectIndex.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { createToolRegistry } from '../tools/registry.js';
import type { Tool } from '../tools/types.js';

/**
 * Loads the tools that a module of the project exports.
 *
 * @param module its project path
 * @param variables names of the environment variables that its code may see, where it runs in a process of its own
 * @throws UntrustedCodeError where its code may not run
 */
export type LoadModule = (module: string, variables: readonly string[]) => Promise<readonly Tool[]>;

/** Nobody has trusted the project, so none of its code was run. */
export class UntrustedCodeError extends Error {
  override readonly name = 'UntrustedCodeError';
}

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
  return async ({ tools: module, tools_env = [] }) => {
    if (module === undefined || load === 'never') return { tools, registered: { tools, providers, isModuleLoaded: false } };
    try {
      const exported = await load(module, tools_env);
      createToolRegistry(exported).check(await loadSchemaCompiler());
      const all = [...tools, ...exported.filter(({ name }) => !names.has(name))];
      return { tools: all, registered: { tools: all, providers, isModuleLoaded: true } };
    } catch (error) {
      const nothing = { tools, providers, isModuleLoaded: false };
      if (error instanceof UntrustedCodeError) return { tools, registered: { ...nothing, moduleUnseen: unseen(module) } };
      const moduleProblem = `The tools of ${module} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
      return { tools, registered: { ...nothing, moduleProblem } };
    }
  };
}

/** What is said of a module whose code may not run. */
function unseen(module: string): string {
  return (
    `The tools of ${module} were not looked at, as they are code of a project that nobody has trusted. Trust it with \`agent-stack trust\`, ` +
    'for one command with --trust or AGENT_STACK_TRUST=1, in an editor by trusting the workspace.'
  );
}
