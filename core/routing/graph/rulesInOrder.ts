import type { EdgeLabel, Graph, GraphLabel, NodeLabel } from '@dagrejs/dagre';

interface Constraint {
  readonly left: string;
  readonly right: string;
}

/**
 * Keeps the edges out of a team in the order of its rules, from left to right, down to their labels. Their names are
 * their numbers in that order.
 *
 * @param graph ranked by dagre, with a node for every rank that an edge passes
 */
export function rulesInOrder(graph: Graph<GraphLabel, NodeLabel, EdgeLabel>): Constraint[] {
  const rows = new Map<string, { readonly id: string; readonly rule: number }[]>();
  for (const first of graph.graph().dummyChains ?? []) {
    const { edgeObj, edgeLabel } = graph.node(first);
    // Edges back leave a team upwards.
    if (edgeObj === undefined || edgeLabel === undefined || edgeLabel.reversed) continue;
    for (let id: string | undefined = first; id !== undefined; id = graph.successors(id)?.[0]) {
      const { rank, dummy } = graph.node(id);
      if (dummy === undefined) break;
      const row = `${edgeObj.v} ${rank}`;
      rows.set(row, [...(rows.get(row) ?? []), { id, rule: Number(edgeObj.name) }]);
      if (dummy === 'edge-label') break;
    }
  }
  return [...rows.values()].flatMap((row) => {
    const ids = row.sort((left, right) => left.rule - right.rule).map(({ id }) => id);
    return ids.slice(1).map((right, index) => ({ left: ids[index] ?? right, right }));
  });
}
