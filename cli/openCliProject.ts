import { createNodeLogger } from '../core/node/nodePorts.js';
import { openProject, type Project } from '../core/node/openProject.js';
import { escapeUnseen } from '../core/visibleText.js';
import type { Cli } from './cli.js';

/** The project in `root`. Its log goes to stderr, each entry on a line of its own, with control characters escaped. */
export function openCliProject({ env, terminal }: Cli, root: string, { environment }: { readonly environment?: string }): Project {
  const logger = createNodeLogger(env.AGENTSTACK_LOG, (line) => terminal.note(escapeUnseen(line.trimEnd())));
  return openProject(root, { ports: { logger }, ...(environment !== undefined && { environment_name: environment }) });
}
