import { MemoryIndex } from '../config/memoryIndex.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import { newAgentFiles } from './newAgentFiles.js';
import { type NewFiles, toNewFile } from './newFile.js';

/**
 * The files of a new project, its settings first: an agent with a case that runs offline, and defaults with its model, so that adding a
 * profile changes nothing.
 *
 * @param agent a legal name
 */
export function starterFiles(settings: ProjectSettings, agent: string): NewFiles {
  const { config_dir } = settings;
  return [
    toNewFile('settings', 'agentstack', settings, { config_dir }),
    ...newAgentFiles(new MemoryIndex(settings), agent),
    toNewFile('system', 'system', settings, { agent_defaults: { llm_config_id: 'offline' } }),
  ];
}
