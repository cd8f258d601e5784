import type { EdgeLayout, Point } from './graphLayout.js';

/** An edge as the `d` of an SVG path: from point to point, vertical at each, so that it leaves and enters boxes at a right angle. */
export function edgePath({ edge, points }: EdgeLayout): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  return rest.reduce(({ path, from }, to) => ({ path: path + (edge.from === edge.to ? `L${to.x} ${to.y}` : bend(from, to)), from: to }), {
    path: `M${first.x} ${first.y}`,
    from: first,
  }).path;
}

function bend(from: Point, to: Point): string {
  if (from.x === to.x) return `L${to.x} ${to.y}`;
  const middle = Math.round((from.y + to.y) * 5) / 10;
  return `C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
}
