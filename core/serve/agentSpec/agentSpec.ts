import type { JsonObject } from '../../json.js';
import type { FrozenOrchestration } from '../../snapshot/snapshotValue.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import { type Note, toAgent } from './toAgent.js';
import { toFlow } from './toFlow.js';

/** The oldest version that has every component written here. */
const agentspec_version = '26.1.2';

export interface AgentSpec {
  /** Undefined where it cannot be written: the notes say why. */
  readonly spec?: JsonObject;
  /** What has no counterpart; sentences. */
  readonly notes: readonly string[];
}

/** An agent as a component of Open Agent Specification, with its model and its tools. */
export function agentSpecOf(resolved: ResolvedAgent): AgentSpec {
  return made((note) => toAgent(resolved, resolved.config.agent_name, note));
}

/** An orchestration as a flow, whose agents run one after the other. */
export function flowSpecOf(name: string, frozen: FrozenOrchestration, agents: ReadonlyMap<string, ResolvedAgent>): AgentSpec {
  return made((note) => toFlow(name, frozen, agents, note));
}

function made(make: (note: Note) => JsonObject | undefined): AgentSpec {
  const notes = new Set<string>();
  const component = make((text) => notes.add(text));
  return { ...(component && { spec: { ...component, agentspec_version } }), notes: [...notes] };
}
