import type { FlowGraph } from './flowGraph.js';

/** The nodes that data may reach, each with the node before it on a shortest way; null for a start. */
export type Reach = ReadonlyMap<string, string | null>;

export interface ReachOptions {
  /** Only along edges that labels confirm. Default: along those that depend on labels nobody has given, too. */
  readonly isSure?: boolean;
  /** Nodes that let nothing through. Default: none. */
  readonly isBlocked?: (id: string) => boolean;
}

export function reachFrom({ edges }: Pick<FlowGraph, 'edges'>, starts: Iterable<string>, options: ReachOptions = {}): Reach {
  const { isSure = false, isBlocked = () => false } = options;
  const reached = new Map<string, string | null>();
  for (const start of starts) if (!isBlocked(start)) reached.set(start, null);
  // A map grows while it is iterated.
  for (const [id] of reached) {
    for (const edge of edges.get(id) ?? []) {
      if (!reached.has(edge.to) && (edge.isSure || !isSure) && !isBlocked(edge.to)) reached.set(edge.to, id);
    }
  }
  return reached;
}

/** Whether data may come to a node from one of the starts. It looks back from the node, since mostly a start is near. */
export function isReached(
  { back }: Pick<FlowGraph, 'back'>,
  starts: ReadonlySet<string>,
  end: string,
  { isSure = false, isBlocked = () => false }: ReachOptions,
): boolean {
  const before = new Set(isBlocked(end) ? [] : [end]);
  // A set grows while it is iterated.
  for (const id of before) {
    if (starts.has(id)) return true;
    for (const edge of back.get(id) ?? []) if ((edge.isSure || !isSure) && !isBlocked(edge.to)) before.add(edge.to);
  }
  return false;
}

/** The way to a node that was reached, from a start. */
export function wayTo(reach: Reach, id: string): readonly string[] {
  const way: string[] = [];
  for (let at: string | null | undefined = id; at !== null && at !== undefined; at = reach.get(at)) way.push(at);
  return way.reverse();
}
