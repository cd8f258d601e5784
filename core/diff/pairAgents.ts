import type { Agent } from '../agent/types.js';
import { splitAgentReference } from '../config/agentReference.js';
import { groupBy } from '../groupBy.js';
import { pointerOf } from '../json.js';
import { type ComparedSide, placeOf } from './comparedSide.js';
import type { DiffPlace } from './types.js';

/** An agent in the snapshot of one side. */
export interface SideAgent {
  readonly side: ComparedSide;
  readonly instance: string;
  readonly agent: Agent;
}

/** An agent on both sides, or on one of them. */
export interface AgentPair {
  /** After the change, if it is still there. */
  readonly instance: string;
  readonly before: SideAgent | undefined;
  readonly after: SideAgent | undefined;
}

/**
 * The agents of both sides, those with the same key together: so are the two agents that are compared, whatever their names, and two versions of an
 * agent that plans call, if each side has one of them.
 */
export function pairAgents(before: ComparedSide, after: ComparedSide): readonly AgentPair[] {
  const keysBefore = counterparts(before, after);
  const pairs = [...after.agents].map(([instance, agent]): AgentPair => {
    const key = keysBefore.get(instance);
    const old = key === undefined ? undefined : before.agents.get(key);
    return {
      instance,
      before: key === undefined || old === undefined ? undefined : { side: before, instance: key, agent: old },
      after: { side: after, instance, agent },
    };
  });
  const paired = new Set(keysBefore.values());
  const removed = [...before.agents].filter(([instance]) => !paired.has(instance));
  return [...pairs, ...removed.map(([instance, agent]) => ({ instance, before: { side: before, instance, agent }, after: undefined }))];
}

/** Instance after to instance before. */
function counterparts(before: ComparedSide, after: ComparedSide): ReadonlyMap<string, string> {
  const pairs = new Map([...after.agents.keys()].flatMap((key) => (before.agents.has(key) ? [[key, key] as const] : [])));
  const [{ name: old }, { name }] = [before.value, after.value];
  if ([before, after].every(({ value }) => value.kind === 'agent') && before.agents.has(old) && after.agents.has(name))
    pairs.set(name, old);
  const paired = new Set(pairs.values());
  const nameOf = (key: string) => splitAgentReference(key).name;
  const left = groupBy(
    [...before.agents.keys()].filter((key) => key.includes('@') && !paired.has(key)),
    nameOf,
  );
  const right = groupBy(
    [...after.agents.keys()].filter((key) => key.includes('@') && !pairs.has(key)),
    nameOf,
  );
  for (const [name, [key, ...more]] of right) {
    const old = left.get(name) ?? [];
    if (key !== undefined && more.length === 0 && old.length === 1) pairs.set(key, old[0] as string);
  }
  return pairs;
}

/**
 * Where a value of an agent's config (`config`), or of its connection (`llm`), is written: its own place, else that of the nearest value around it.
 */
export function placesOf({ side, instance, agent }: SideAgent): Record<'config' | 'llm', (pointer: string) => DiffPlace | undefined> {
  const below = (...path: readonly string[]) => {
    const prefix = pointerOf(...path);
    return (pointer: string): DiffPlace | undefined => {
      for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
        const place = placeOf(side, prefix + at);
        if (place !== undefined) return place;
      }
      return undefined;
    };
  };
  const ownConnection = `@${instance}`;
  const key = Object.hasOwn(side.value.llms, ownConnection) ? ownConnection : (agent.resolved.config.llm_config_id ?? '');
  return { config: below('agents', instance), llm: below('llms', key) };
}

/** The same change in several agents as one: that of the first, with the others beside it. */
export function together<Change extends { readonly instance: string; readonly also: readonly string[] }>(
  changes: readonly Change[],
  keyOf: (change: Change) => string,
): readonly Change[] {
  return [...groupBy(changes, keyOf).values()].map((same) => {
    const [first, ...others] = same as [Change, ...Change[]];
    return { ...first, also: others.map(({ instance }) => instance) };
  });
}
