import type { Agent, EquipAgent } from '../agent/types.js';
import { type EquipOptions, equipRun } from './equipRun.js';

/** What the agents of one run have in common. */
export type SharedEquipment = Omit<EquipOptions, 'session_id' | 'record' | 'replay' | 'keep'>;

/**
 * What each agent of a run works with when it is not the only one: its model and its tools, made once for all its calls. Such agents remember no
 * session.
 */
export function equipAgents(options: SharedEquipment): EquipAgent {
  const made = new Map<Agent, ReturnType<EquipAgent>>();
  const make = async (agent: Agent) => {
    const { equipment } = await equipRun(agent, { ...options, keep: 'none' });
    const { llm, openTools, approve } = equipment;
    if (llm === undefined) throw new Error('An agent was equipped without a model.');
    return { llm, ...(openTools && { openTools }), ...(approve && { approve }) };
  };
  return (agent) => {
    const known = made.get(agent) ?? make(agent);
    made.set(agent, known);
    return known;
  };
}
