import { pathOf } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type JsonObject } from '../json.js';
import { agentTemplate } from './agentTemplate.js';
import type { Mode } from './effective.js';

export interface NewFile {
  /** Project path. */
  readonly path: string;
  readonly text: string;
}

/**
 * The files of a new agent, itself first: its first version, a sample payload, and an offline llm profile in a project that names no model
 * yet, so that it can run at once.
 *
 * @param name a legal name that no agent has (`agentNamedLike`)
 */
export function newAgentFiles(project: ProjectIndex, name: string, mode: Mode): readonly [NewFile, ...NewFile[]] {
  const { config, payload } = agentTemplate(name, mode);
  const { settings } = project;
  const others: NewFile[] = [];
  if (!project.ids('payload').has(`${name}/example`)) others.push(toFile(pathOf('payload', `${name}/example`, settings), payload));
  if (!hasModel(project)) {
    const profile = { llm_id: 'offline', provider: 'offline', model_name: 'offline' };
    others.push(toFile(pathOf('llm', 'offline', settings), profile));
  }
  return [toFile(pathOf('agent', `${name}@v1`, settings), config), ...others];
}

/** The agent whose name is the same but for letter case, which some disks do not tell apart; undefined when the name is free. */
export function agentNamedLike(project: ProjectIndex, name: string): { readonly name: string; readonly path: string } | undefined {
  for (const [id, path] of project.ids('agent')) {
    const taken = id.slice(0, id.indexOf('@'));
    if (taken.toLowerCase() === name.toLowerCase()) return { name: taken, path };
  }
  return undefined;
}

function toFile(path: string, value: JsonObject): NewFile {
  return { path, text: `${JSON.stringify(value, null, 2)}\n` };
}

/** Whether an agent that names no model would have one. */
function hasModel(project: ProjectIndex): boolean {
  if (project.ids('llm').size > 0) return true;
  const layers = [project.value('system', 'system'), project.value('system', project.settings.environment)];
  return layers.some((layer) => {
    const defaults = layer?.agent_defaults;
    return isObject(defaults) && typeof defaults.model_name === 'string';
  });
}
