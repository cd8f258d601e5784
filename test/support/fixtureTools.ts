import type { RegisteredFor } from '../../core/config/loadProjectIndex.js';
import { moduleTools } from '../../core/tools/moduleTools.js';

/** The tools of the module that agentstack.json names, where the module is one of these texts. */
export function fixtureTools(texts: Readonly<Record<string, string>>): RegisteredFor {
  return async ({ tools: module }) => {
    if (module === undefined) return { tools: [], providers: [], isModuleLoaded: false };
    try {
      const text = texts[module.slice('./'.length)];
      if (text === undefined) throw new Error('there is no such file.');
      // Fixtures export options of tools, which need no import.
      return { tools: moduleTools(await import(`data:text/javascript,${encodeURIComponent(text)}`)), providers: [], isModuleLoaded: true };
    } catch (error) {
      return {
        tools: [],
        providers: [],
        isModuleLoaded: false,
        moduleProblem: `The tools of ${module} cannot be loaded: ${(error as Error).message}`,
      };
    }
  };
}
