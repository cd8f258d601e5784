import type { Agent } from '../agent/types.js';
import type { McpServer } from '../generated/types.js';
import { usesServer } from '../tools/usesServer.js';
import type { ConnectOptions } from './connectAgents.js';

type LearnOptions = Pick<ConnectOptions, 'ports' | 'resolveInput' | 'mcp_inputs'>;

/**
 * Looks up every secret that agents of a run will be given, keys of models and secrets of MCP servers, before the first byte of the run is written:
 * from then on all of them are covered. What is missing is skipped here, since the run itself reports it.
 *
 * @throws SecretMissingError where the store of secrets fails
 */
export async function learnSecrets(agents: Iterable<Agent>, { ports, resolveInput, mcp_inputs: inputs }: LearnOptions): Promise<void> {
  const all = new Set([...agents].flatMap((agent) => [agent, ...(agent.agents?.values() ?? [])]));
  const { findMissingKey } = await import('../llm/providers/missingKey.js');
  const servers = new Map<string, McpServer>();
  for (const { resolved } of all) {
    await findMissingKey(resolved.llm, ports);
    if (resolved.config.agent_type === 'single_shot') continue;
    for (const [client_id, server] of Object.entries(resolved.servers)) {
      // Checked with its schema when the config was made.
      if (usesServer(resolved, client_id)) servers.set(client_id, server as McpServer);
    }
  }
  if (servers.size > 0) {
    const { learnServerSecrets } = await import('../tools/mcp/learnServerSecrets.js');
    for (const [client_id, server] of servers) await learnServerSecrets(client_id, server, { ports, inputs, resolveInput });
  }
}
