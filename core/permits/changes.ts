import { type FlowGraph, type GraphTool, idOf } from './flowGraph.js';
import type { Offence } from './prove.js';
import { isReached } from './reach.js';

/** A change that by itself ends all flows from a source to a call. */
export type FlowChange =
  /** Hold the text in the output of an agent to an enum, at the path where it is read. */
  | { readonly type: 'contract'; readonly subject: string; readonly instance: string; readonly path: readonly string[] }
  /** Have somebody approve each call: the data still flows, but not unseen. */
  | { readonly type: 'approval'; readonly tool: GraphTool }
  /** Take the tool from the agent. */
  | { readonly type: 'drop'; readonly tool: GraphTool };

/**
 * Of a flow that is sure, what ends it as far as it is sure. The smallest first: they leave the most of what the agents can do. Taking away the tool that is
 * called comes last, and always helps.
 *
 * @param sources the answers that it may come from
 */
export function smallestChanges(
  graph: FlowGraph,
  sources: ReadonlySet<string>,
  { tool: sink, way, isSure }: Offence,
): readonly FlowChange[] {
  const call = idOf({ type: 'call', subject: sink.subject, tool: sink });
  const isNeeded = (id: string) => !isReached(graph, sources, call, { isSure, isBlocked: (other) => other === id });
  const contracts = way.flatMap((id): readonly FlowChange[] => {
    const node = graph.nodes.get(id);
    return node?.type === 'output' && isNeeded(id)
      ? [{ type: 'contract', subject: node.subject, instance: node.instance, path: node.path }]
      : [];
  });
  const first = graph.nodes.get(way[0] ?? '');
  const isSink = first?.type === 'answer' && first.tool.id === sink.id && first.tool.instance === sink.instance;
  const source: readonly FlowChange[] =
    first?.type === 'answer' && !isSink && isNeeded(way[0] ?? '')
      ? [{ type: 'drop', tool: { ...first.tool, subject: first.subject } }]
      : [];
  return [
    ...contracts,
    ...(sink.asks === true ? [] : [{ type: 'approval', tool: sink } as const]),
    ...source,
    { type: 'drop', tool: sink },
  ];
}
