import type { ProjectIndex } from '../config/projectIndex.js';
import { type NewFile, toNewFile } from './newFile.js';

/**
 * The settings of an environment, which lie over `system.json` while it is chosen. The one it begins with names the profile of agents that name none.
 *
 * @param name a legal name that no environment has
 */
export function newEnvironmentFile(project: Pick<ProjectIndex, 'ids' | 'settings'>, name: string): NewFile {
  const [llm_config_id] = project.ids('llm').keys();
  return toNewFile('system', name, project.settings, { agent_defaults: { ...(llm_config_id !== undefined && { llm_config_id }) } });
}
