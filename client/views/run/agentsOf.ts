import type { LoadedAgent } from '../../../core/agent/load/loadAgent.js';
import { Refused } from '../../../core/agent/load/refused.js';
import type { Agent } from '../../../core/agent/types.js';
import type { LoadedOrchestration } from '../../../core/team/loadOrchestration.js';

/** The agents that may ask a model when this runs. None where it was refused: the run says why. */
export function agentsOf(loaded: LoadedAgent | LoadedOrchestration | Refused): readonly Agent[] {
  if (loaded instanceof Refused) return [];
  return 'orchestration' in loaded ? [...loaded.orchestration.agents.values()] : [loaded.agent, ...(loaded.agent.agents?.values() ?? [])];
}
