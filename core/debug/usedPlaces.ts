import type { Stop } from '../agent/gate.js';
import type { ResolvedAgent } from '../snapshot/types.js';

/** A value in a file. */
export interface Site {
  readonly file: string;
  readonly pointer: string;
  /** The agent whose file it is: `NAME@VERSION`. */
  readonly agent?: string;
}

const usedBy = new WeakMap<ResolvedAgent, ReadonlyMap<string, readonly string[]>>();

/** Whether the agent of a stop got a value from a place, in whichever layer it is: the value itself, a part of it, or the value that it is part of. */
export function uses(stop: Stop, { file, pointer }: Site): boolean {
  if (stop.at === 'route') return false;
  return (pointersOf(stop.agent.resolved).get(file) ?? []).some((used) => overlap(used, pointer));
}

/** Whether a text at a place is in what an agent sends. */
export function sends(stop: Stop, { file, pointer }: Site): boolean {
  if (stop.at === 'route') return false;
  const { source_map } = stop.agent.prompt.compose(stop.payload);
  return source_map.some((span) => span.file === file && overlap(span.pointer, pointer));
}

export function overlap(left: string, right: string): boolean {
  return left === right || left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
}

function pointersOf(resolved: ResolvedAgent): ReadonlyMap<string, readonly string[]> {
  const cached = usedBy.get(resolved);
  if (cached) return cached;
  const pointers = new Map<string, string[]>();
  for (const { file, pointer } of [...resolved.origins.values(), ...resolved.llm_origins.values()]) {
    if (file === null) continue;
    const list = pointers.get(file) ?? [];
    pointers.set(file, list);
    list.push(pointer);
  }
  usedBy.set(resolved, pointers);
  return pointers;
}
