import type { ConfigFile } from '../../../core/config/configFile.js';
import { loadProjectIndex } from '../../../core/config/loadProjectIndex.js';
import { parseConfigFile } from '../../../core/config/parseConfigFile.js';
import { configPrefix, identifyFile } from '../../../core/config/paths.js';
import type { ProjectIndex } from '../../../core/config/projectIndex.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { isObject } from '../../../core/json.js';
import { createNodeEnvironment } from '../../../core/node/nodePorts.js';
import { FileProblem, type FileSystem } from '../../../core/ports.js';
import { resolveAgent } from '../../../core/snapshot/resolveAgent.js';
import type { ResolvedAgent } from '../../../core/snapshot/types.js';

export interface ResolvedFile {
  readonly file: ConfigFile;
  readonly project: ProjectIndex;
  /** The effective config; undefined for a file that is not an agent, or cannot be read as one. */
  readonly agent: ResolvedAgent | undefined;
}

/**
 * A config file and, of an agent, which model it comes to with all that lies under it. Neither other agents nor prompts nor payloads are
 * read, of which there may be thousands.
 *
 * @param environment_name empty for the project's own
 * @returns undefined for a file that is deleted, or not in a config folder
 */
export async function resolveAgentFile(files: FileSystem, path: string, environment_name: string): Promise<ResolvedFile | undefined> {
  const settings = await readProjectSettings(files);
  const identity = identifyFile(path, settings);
  if (identity === undefined) return undefined;
  const folders = ['payloads', 'prompts', 'orchestrations'].map((folder) => configPrefix(settings) + folder);
  const seen: FileSystem = { ...files, list: (folder) => (folders.includes(folder) ? [] : files.list(folder)) };
  try {
    const file = parseConfigFile(path, await files.readText(path), identity);
    const project = await loadProjectIndex(seen, { agents: [path] });
    if (identity.kind !== 'agent' || file.foreign || !isObject(file.value)) return { file, project, agent: undefined };
    const agent = resolveAgent({
      agent_name: identity.name,
      version: identity.version ?? '',
      file: { path, value: file.value },
      project,
      variables: createNodeEnvironment(),
      ...(environment_name !== '' && { environment_name }),
    });
    return { file, project, agent };
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}
