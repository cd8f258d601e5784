import type { Agent } from '../agent/agentFactory.js';
import { SecretMissingError } from '../errors.js';
import { isObject, type Json } from '../json.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Ports } from '../ports.js';

/**
 * Looks for the key of every model that agents of a run may call, before any of them is asked: a run that finds out half way has spent money on tasks
 * whose results nobody gets. Providers of a program itself find theirs themselves.
 *
 * @throws SecretMissingError naming each key that is missing
 */
export async function requireKeys(
  agents: Iterable<Agent>,
  { ports, providers }: { readonly ports: Pick<Ports, 'secrets' | 'environment'>; readonly providers: readonly LlmProvider[] },
): Promise<void> {
  const asking = [...agents].filter(asksModel).map(({ resolved }) => resolved.llm);
  const builtIn = asking.filter(({ provider }) => !providers.some(({ name }) => name === provider));
  const { findMissingKey } = await import('../llm/providers/missingKey.js');
  const missing = new Set<string>();
  for (const settings of builtIn) {
    const words = await findMissingKey(settings, ports);
    if (words !== undefined) missing.add(words);
  }
  if (missing.size > 0) throw new SecretMissingError([...missing].join(' '));
}

/** An agent that follows a plan has a model of its own only for its prompts. */
function asksModel({ resolved: { config } }: Agent): boolean {
  if (config.agent_type !== 'orchestrating') return true;
  const steps = config.execution_plan?.steps;
  return Array.isArray(steps) && steps.some((step: Json) => isObject(step) && Object.hasOwn(step, 'llm'));
}
