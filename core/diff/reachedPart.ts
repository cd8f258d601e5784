import { agentsInPlan } from '../config/agentToolChoice.js';
import type { ProverTools } from '../routing/prover/choiceContext.js';
import { findUnreachable } from '../routing/teamGraph.js';
import { frozenGraph } from '../rules/facts/routingProofs.js';
import type { ComparedSide } from './comparedSide.js';

/** A side without the teams that no run reaches, as far as that is proven, and without the agents that only they use. */
export function reachedPart(side: ComparedSide, prover: ProverTools): ComparedSide {
  const { orchestration } = side.value;
  if (orchestration === undefined) return side;
  const resolved = new Map([...side.agents].map(([instance, agent]) => [instance, agent.resolved]));
  const unreached = new Set(findUnreachable(frozenGraph(orchestration, resolved, prover)));
  if (unreached.size === 0) return side;
  const isReached = ([team]: readonly [string, unknown]) => !unreached.has(team);
  const used = new Set([...side.agents.keys()].filter((key) => key.includes('/') && !unreached.has(key.slice(0, key.indexOf('/')))));
  // A set is walked through with what is added on the way.
  for (const key of used) for (const called of agentsInPlan(resolved.get(key)?.config.execution_plan)) used.add(called);
  const teams = Object.fromEntries(Object.entries(orchestration.teams).filter(isReached));
  const agents = Object.fromEntries(Object.entries(side.value.agents).filter(([key]) => used.has(key)));
  return {
    ...side,
    value: { ...side.value, agents, orchestration: { ...orchestration, teams } },
    agents: new Map([...side.agents].filter(([key]) => used.has(key))),
  };
}
