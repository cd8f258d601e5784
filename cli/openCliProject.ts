import { type LoadedIndex, loadProjectIndex } from '../core/config/loadProjectIndex.js';
import { createNodeEnvironment, createNodeLogger } from '../core/node/nodePorts.js';
import { openProject } from '../core/node/openProject.js';
import { createEvalAdapters } from '../core/node/projectAdapters.js';
import type { FileSystem, Ports } from '../core/ports.js';
import type { EvalProject } from '../core/project/evalLoader.js';
import type { Project } from '../core/project/types.js';
import type { Cli, OpenProject } from './cli.js';
import { createTrustedLoader } from './trustCode.js';

export interface OpenOptions {
  readonly environment?: string;
  /**
   * What happens with the code of the project, its module of tools: it is loaded where the user trusts the project, and otherwise a line on
   * stderr says
   * that it was not (`trusted`, the default), or the findings of the command do (`reported`). `never`: the command does not need it.
   */
  readonly code?: 'trusted' | 'reported' | 'never';
  /** Its files in another state. Default: those on the disk. */
  readonly files?: FileSystem;
}

/** The project in `root`, with the environment and the log of the command. */
export function openCliProject(cli: Cli, root: string, { environment, code, files }: OpenOptions): Project {
  return openProject(root, {
    ports: { ...cliPorts(cli), ...(files && { files }) },
    loadTools: code === 'never' ? code : createTrustedLoader(cli, code === 'reported'),
    ...(environment !== undefined && { environment_name: environment }),
  });
}

/** The index of a project; of a folder that is none, of the lists of MCP servers that other tools have in it. */
export function loadRepositoryIndex(cli: Cli, { root, files, isBare }: OpenProject, options: OpenOptions): Promise<LoadedIndex> {
  return isBare ? loadProjectIndex(files, { bare: true }) : openCliProject(cli, root, options).index();
}

/** The same, for evals. */
export function openEvalProject(cli: Cli, root: string, options: OpenOptions): EvalProject {
  const { environment } = options;
  return { project: openCliProject(cli, root, options), adapters: createEvalAdapters(root, cli.cwd), environment };
}

/** The environment of the command and its secrets, and a log on stderr: each entry on a new line, with control characters escaped. */
export function cliPorts({ env, terminal, knownSecrets }: Cli): Pick<Ports, 'environment' | 'logger' | 'knownSecrets'> {
  const logger = createNodeLogger(env.AGENTSTACK_LOG, (line) => terminal.note(line.trimEnd()));
  return { environment: createNodeEnvironment(env), logger, knownSecrets };
}
