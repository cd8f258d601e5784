import type { JsonObject } from '../json.js';
import { objectAt, textAt } from './untrusted.js';

/** The llm profile that the agent of a frozen config calls its model with; null where it has none, and for an orchestration. */
export function profileOf(snapshot: JsonObject): string | null {
  const name = textAt(snapshot, 'name') ?? '';
  // The agents that it calls have entries too.
  const llms = objectAt(snapshot, 'llms');
  const named = textAt(objectAt(objectAt(snapshot, 'agents'), name), 'llm_config_id');
  return named !== null && Object.hasOwn(llms, named) && !Object.hasOwn(llms, `@${name}`) ? named : null;
}
