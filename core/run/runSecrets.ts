import type { Agent } from '../agent/types.js';
import { ConfigInvalidError } from '../errors.js';
import type { McpServer } from '../generated/types.js';
import { isObject, type Json, pointerOf } from '../json.js';
import type { KnownSecrets } from '../ports.js';
import { originsIn, type Snapshot } from '../snapshot/createSnapshot.js';
import { usesServer } from '../tools/usesServer.js';
import type { ConnectOptions } from './connectAgents.js';

type LearnOptions = Pick<ConnectOptions, 'ports' | 'resolveInput' | 'mcp_inputs'>;

/**
 * Looks up every secret that a run may use, keys of models and secrets of MCP servers, before the run writes anything, so that all of them are
 * masked from then on. Missing secrets are skipped here: the run itself reports them.
 *
 * @throws SecretMissingError if the secret store fails
 */
export async function learnSecrets(agents: Iterable<Agent>, { ports, resolveInput, mcp_inputs: inputs }: LearnOptions): Promise<void> {
  const all = new Set([...agents].flatMap((agent) => [agent, ...(agent.agents?.values() ?? [])]));
  const { findMissingKey } = await import('../llm/providers/apiKey.js');
  const servers = new Map<string, McpServer>();
  for (const { resolved } of all) {
    await findMissingKey(resolved.llm, ports);
    if (resolved.config.agent_type === 'single_shot') continue;
    for (const [client_id, server] of Object.entries(resolved.servers)) {
      // Validated when the config was composed.
      if (usesServer(resolved, client_id)) servers.set(client_id, server as McpServer);
    }
  }
  if (servers.size > 0) {
    const { learnServerSecrets } = await import('../tools/mcp/resolveServer.js');
    for (const [client_id, server] of servers) await learnServerSecrets(client_id, server, { ports, inputs, resolveInput });
  }
}

/** Shorter keys may be ordinary words: servers that accept any key get `lm-studio` or `not-needed`, which also occur in configs. */
const shortest = 16;
const coveredSecret = new RegExp(`\\*{${shortest}}`);

/**
 * A frozen config is named by its hash and kept unchanged, so no secret in it can be masked.
 *
 * @throws ConfigInvalidError naming each place with a secret of the run
 */
export function refuseFrozenSecrets(snapshot: Snapshot, secrets: KnownSecrets | undefined): void {
  if (!secrets?.mayBeIn(snapshot.text)) return;
  const places = [...secretsIn(snapshot.value as unknown as Json, '', secrets)];
  if (places.length === 0) return;
  const origins = originsIn(snapshot);
  const words = places.map((place) => {
    const { file = null, pointer = place } = origins.get(place) ?? {};
    return secrets.cover(file === null ? pointer : `${file} ${pointer}`);
  });
  throw new ConfigInvalidError(
    `The configuration holds a key that this run uses, and a frozen configuration is kept as it is. Take the key out of ${words.join(', ')}, or the variable that brings it there; a key is referred to as "secret://NAME".`,
    [],
  );
}

function* secretsIn(value: Json, path: string, secrets: KnownSecrets): Generator<string> {
  if (typeof value === 'string') {
    if (!coveredSecret.test(value) && coveredSecret.test(secrets.cover(value))) yield path;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* secretsIn(item, path + pointerOf(index), secrets);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      yield* secretsIn(name, path + pointerOf(name), secrets);
      yield* secretsIn(member, path + pointerOf(name), secrets);
    }
  }
}
