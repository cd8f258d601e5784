import type { GraphLayout, NodeLayout } from '../../../../core/routing/graph/graphLayout.js';

/** Where arrow keys lead: down and up along tasks and routes, left and right to neighbours. */
export interface Steps {
  /** Where the run begins. */
  readonly first: string;
  /** Undefined where a key leads nowhere. */
  next(key: string, pressed: string): string | undefined;
}

type Direction = 'ArrowDown' | 'ArrowUp' | 'ArrowLeft' | 'ArrowRight';

export function createSteps({ nodes, edges }: GraphLayout): Steps {
  const ways = new Map<string, Partial<Record<Direction, string>>>();
  const start = nodes.find(({ node }) => node.kind === 'start') ?? nodes.find(({ node }) => node.kind === 'team') ?? nodes[0];
  const last = nodes.findLast(({ node }) => node.kind === 'end') ?? nodes.at(-1);
  const middle = ({ y, height }: NodeLayout) => y + height / 2;

  for (const placed of nodes) {
    const { node } = placed;
    const out = edges.filter(({ edge }) => edge.from === node.key);
    const into = edges.find(({ edge }) => edge.to === node.key && edge.from !== node.key);
    // The edge to the entry has no label to stop at.
    const outKey = out[0] && (out[0].label === null ? out[0].edge.to : out[0].edge.key);
    const intoKey = into && (into.label === null ? into.edge.from : into.edge.key);
    const tasks = node.kind === 'team' ? node.tasks.map(({ pointer }) => pointer) : [];
    const column = [node.key, ...tasks, ...(outKey === undefined ? [] : [outKey])];
    const beside = nodes.filter(
      (other) => other.node.key !== node.key && Math.abs(middle(other) - middle(placed)) < Math.max(placed.height, other.height) / 2,
    );
    const nearest = (side: -1 | 1) =>
      beside
        .filter((other) => Math.sign(other.x - placed.x) === side)
        .sort((left, right) => Math.abs(left.x - placed.x) - Math.abs(right.x - placed.x))[0]?.node.key;
    for (const [index, key] of column.slice(0, tasks.length + 1).entries()) {
      ways.set(key, {
        ...toWay('ArrowDown', column[index + 1]),
        ...toWay('ArrowUp', index === 0 ? intoKey : column[index - 1]),
        ...toWay('ArrowLeft', nearest(-1)),
        ...toWay('ArrowRight', nearest(1)),
      });
    }
    const routes = out.filter(({ label }) => label !== null).sort((left, right) => (left.label?.x ?? 0) - (right.label?.x ?? 0));
    for (const [index, { edge }] of routes.entries()) {
      ways.set(edge.key, {
        ...toWay('ArrowDown', edge.to),
        ...toWay('ArrowUp', edge.from),
        ...toWay('ArrowLeft', routes[index - 1]?.edge.key),
        ...toWay('ArrowRight', routes[index + 1]?.edge.key),
      });
    }
  }

  return {
    first: start?.node.key ?? '',
    next(key, pressed) {
      if (pressed === 'Home') return start?.node.key;
      if (pressed === 'End') return last?.node.key;
      return ways.get(key)?.[pressed as Direction];
    },
  };
}

function toWay(direction: Direction, key: string | undefined): Partial<Record<Direction, string>> {
  return key === undefined ? {} : { [direction]: key };
}
