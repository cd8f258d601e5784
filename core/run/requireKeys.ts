import type { Agent } from '../agent/types.js';
import { SecretMissingError } from '../errors.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import { firstNames } from '../names.js';
import type { Ports } from '../ports.js';
import { callsModel } from '../snapshot/effective.js';

/**
 * Checks that every model which a run may call has its key, before the first call: a run that fails half way has wasted money. Custom providers
 * find their keys themselves.
 *
 * @throws SecretMissingError naming each missing key and the agents that need it
 */
export async function requireKeys(
  agents: Iterable<Agent>,
  {
    ports,
    providers,
  }: { readonly ports: Pick<Ports, 'secrets' | 'environment' | 'knownSecrets'>; readonly providers: readonly LlmProvider[] },
): Promise<void> {
  const callers = [...agents].filter(({ resolved }) => callsModel(resolved.config));
  const builtIn = callers.filter(({ resolved }) => !providers.some(({ name }) => name === resolved.llm.provider));
  const { findMissingKey } = await import('../llm/providers/apiKey.js');
  const missing = new Map<string, Set<string>>();
  for (const agent of builtIn) {
    const words = await findMissingKey(agent.resolved.llm, ports);
    if (words !== undefined) missing.set(words, (missing.get(words) ?? new Set()).add(nameOf(agent)));
  }
  if (missing.size === 0) return;
  const messages = [...missing].map(([words, names]) => `${words} It is for ${firstNames(names)}.`);
  throw new SecretMissingError(messages.join(' '));
}

/** `Judge@v1 (llm profile "openai")`; for a persona that is used as a task, the task. */
function nameOf({ resolved: { config, llm } }: Agent): string {
  const profile = llm.llm_id === undefined ? '' : ` (llm profile ${JSON.stringify(llm.llm_id)})`;
  return `${config.agent_name}@${config.version}${profile}`;
}
