import { createNodeEnvironment, createNodeLogger } from '../core/node/nodePorts.js';
import { openProject } from '../core/node/openProject.js';
import { createToolsLoader } from '../core/node/ownTools/toolsProcess.js';
import { createEvalAdapters } from '../core/node/projectAdapters.js';
import type { Ports } from '../core/ports.js';
import type { EvalProject } from '../core/project/evalLoader.js';
import type { Project } from '../core/project/types.js';
import type { Cli } from './cli.js';

/** The project in `root`, with the environment and the log of the command. */
export function openCliProject(cli: Cli, root: string, { environment }: { readonly environment?: string }): Project {
  return openProject(root, {
    ports: cliPorts(cli),
    loadTools: createToolsLoader(),
    ...(environment !== undefined && { environment_name: environment }),
  });
}

/** The same, for evals. */
export function openEvalProject(cli: Cli, root: string, options: { readonly environment?: string }): EvalProject {
  const { environment } = options;
  return { project: openCliProject(cli, root, options), adapters: createEvalAdapters(root, cli.cwd), environment };
}

/** The environment of the command and its secrets, and a log on stderr: each entry on a line of its own, with control characters escaped. */
export function cliPorts({ env, terminal, knownSecrets }: Cli): Pick<Ports, 'environment' | 'logger' | 'knownSecrets'> {
  const logger = createNodeLogger(env.AGENTSTACK_LOG, (line) => terminal.note(line.trimEnd()));
  return { environment: createNodeEnvironment(env), logger, knownSecrets };
}
