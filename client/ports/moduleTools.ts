import type { LoadTools } from '../../core/node/ownTools/importTools.js';

/** How long an unused process of tools lives, in ms. The next use starts one with the current code. */
const idle_ms = 60_000;

/** Loads modules of tools into processes of their own. The code that does is loaded with the first module. */
export function createModuleTools(): LoadTools {
  let loading: Promise<LoadTools> | undefined;
  const load = async () => (await import('../../core/node/ownTools/toolsProcess.js')).createToolsLoader({ idle_ms });
  return async (module) => {
    loading ??= load();
    return (await loading)(module);
  };
}
