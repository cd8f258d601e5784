import { isObject, type Json } from '../json.js';
import type { ProjectIndex } from './projectIndex.js';

/** Whether an agent of this value may follow a plan, its own or that of its persona: nearly all agents have none. */
export function mayFollowPlan(value: Json | undefined, project: ProjectIndex): boolean {
  if (!isObject(value)) return false;
  const { persona_key } = value;
  return hasPlan(value) || (typeof persona_key === 'string' && hasPlan(project.value('persona', persona_key)));
}

function hasPlan(value: Json | undefined): boolean {
  return isObject(value) && (value.execution_plan !== undefined || value.agent_type === 'orchestrating');
}
