import { type AgentTarget, findAgent } from '../config/agentReference.js';
import { agentsInPlan } from '../config/agentToolChoice.js';
import { loopLimits } from '../config/defaults.js';
import { resolveAgent } from './resolveAgent.js';
import type { AgentSource, ResolvedAgent, ResolveRequest } from './types.js';

/** The context in which all agents of a snapshot are resolved. */
export interface ResolveTogether extends Pick<ResolveRequest, 'project' | 'environment_name' | 'variables' | 'overrides'> {
  /** Agent files that have been read, by `name@version`. */
  readonly agents: Pick<ReadonlyMap<string, AgentSource>, 'get'>;
}

export interface CalledAgents {
  /** By `name@version`, in the order in which they are first called. */
  readonly called: ReadonlyMap<string, ResolvedAgent>;
  /** Agents that exist and are called, but whose files have not been read: any result without them is incomplete. */
  readonly unread: readonly AgentTarget[];
}

/**
 * The agents called by the plans of these, directly or indirectly, each resolved once: agents may call each other in a cycle. Calls deeper than
 * `loopLimits.nesting` are refused in every run, so agents that can be reached only by such calls are left out.
 */
export function resolveCalled(callers: Iterable<ResolvedAgent>, { agents, ...together }: ResolveTogether): CalledAgents {
  const called = new Map<string, ResolvedAgent>();
  const unread = new Map<string, AgentTarget>();
  let level = [...callers];
  for (let depth = 1; depth <= loopLimits.nesting; depth += 1) {
    const deeper: ResolvedAgent[] = [];
    for (const reference of new Set(level.flatMap(calledBy))) {
      const target = called.has(reference) || unread.has(reference) ? undefined : findAgent(together.project, reference);
      if (target === undefined) continue;
      const file = agents.get(target.id);
      if (file === undefined) {
        unread.set(target.id, target);
        continue;
      }
      const resolved = resolveAgent({ ...together, agent_name: target.name, version: target.version, file });
      called.set(target.id, resolved);
      deeper.push(resolved);
    }
    level = deeper;
  }
  return { called, unread: [...unread.values()] };
}

/** The agents that an agent's plan calls, as `name@version`; agents of other types ignore a plan. */
export function calledBy({ config }: Pick<ResolvedAgent, 'config'>): readonly string[] {
  return config.agent_type === 'orchestrating' ? agentsInPlan(config.execution_plan) : [];
}
