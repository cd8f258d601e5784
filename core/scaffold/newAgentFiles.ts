import type { ProjectIndex } from '../config/projectIndex.js';
import { type AgentForm, agentTemplate } from './agentTemplate.js';
import { type NewFile, type NewFiles, toNewFile } from './newFile.js';
import { hasDefaultModel, newLlmFile } from './newLlmFile.js';

/**
 * The files of a new agent, itself first: its first version, a sample payload, and an offline llm profile in a project that names no model
 * yet, so that it can run at once.
 *
 * @param name a legal name that no agent has (`findTakenName`)
 */
export function newAgentFiles(project: ProjectIndex, name: string, form: AgentForm = {}): NewFiles {
  const { config, payload } = agentTemplate(name, form);
  const { settings } = project;
  const others: NewFile[] = [];
  if (!project.ids('payload').has(`${name}/example`)) others.push(toNewFile('payload', `${name}/example`, settings, payload));
  if (project.ids('llm').size === 0 && !hasDefaultModel(project)) others.push(newLlmFile(project, 'offline', { provider: 'offline' }));
  return [toNewFile('agent', `${name}@v1`, settings, config), ...others];
}
