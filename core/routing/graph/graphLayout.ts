import { Graph, layout } from '@dagrejs/dagre';
import { groupBy } from '../../groupBy.js';
import type { GraphEdge, GraphModel, GraphNode } from './graphModel.js';
import { englishWords, type GraphWords, labelText, taskDetail } from './graphWords.js';
import { rulesInOrder } from './rulesInOrder.js';
import { fitText, textWidth, wrapText } from './textWidth.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `x` and `y` are of the upper left corner. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface NodeLayout extends Box {
  readonly node: GraphNode;
}

export interface EdgeLayout {
  readonly edge: GraphEdge;
  /** From the border of one node to that of the other. */
  readonly points: readonly Point[];
  /** Null for the edge to the entry. */
  readonly label: (Box & { readonly lines: readonly string[] }) | null;
  /** Leads upwards, back to an earlier team. */
  readonly isBack: boolean;
  /** Ends in its label, which names the target team. */
  readonly isCut: boolean;
}

/** All positions, in pixels from the upper left corner of the picture. */
export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly NodeLayout[];
  readonly edges: readonly EdgeLayout[];
}

/** Sizes in pixels. */
export const sizes = {
  margin: 16,
  /** Of names, and of everything else. */
  font: 13,
  small: 11,
  /** Inside of a box, left and right. */
  padding: 10,
  header: 30,
  task: 20,
  foot: 6,
  narrowest: 140,
  widest: 280,
  /** Height of start, end and missing teams. */
  place: 28,
  label: { width: 190, lines: 2, line: 15, padding: 4 },
} as const;

/**
 * With more edges a picture is large: labels have one line, and only edges to the next teams are drawn to their end. One that leads far
 * away, or back, ends in its label, which names the team: a reader could not follow a line through hundreds of others, and placing it takes the time.
 */
const manyEdges = 300;

/**
 * Places teams from top to bottom in the order runs take them, with routes and their conditions between them. The same graph gives the same
 * picture. Texts are measured by a table, so that the picture is the same everywhere.
 */
export function layOutGraph({ nodes, edges }: GraphModel, words: GraphWords = englishWords): GraphLayout {
  const isLarge = edges.length > manyEdges;
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: 'TB',
    nodesep: 32,
    edgesep: 14,
    ranksep: 56,
    marginx: sizes.margin,
    marginy: sizes.margin,
    ranker: isLarge ? 'tight-tree' : 'network-simplex',
  });
  // Numbers instead of names, which may be anything; in file order after the start, so that edges back to a team lead upwards.
  const ids = new Map(nodes.map(({ key }, index) => [key, `${index}`]));
  const idOf = (key: string) => ids.get(key) ?? '';
  const cut = isLarge ? findFar(nodes, edges) : new Set<string>();
  const labels = new Map(edges.map((edge) => [edge.key, labelOf(edge, words, isLarge, cut.has(edge.key))]));
  const loops = groupBy(
    edges.filter(({ from, to }) => from === to),
    ({ from }) => from,
  );
  const boxes = new Map(nodes.map((node) => [node.key, sizeOf(node, words)]));
  for (const { key } of nodes) {
    const { width, height } = boxes.get(key) ?? { width: 0, height: 0 };
    const beside = loopsSize(loops.get(key) ?? [], labels);
    graph.setNode(idOf(key), { width: width + beside.width, height: Math.max(height, beside.height) });
  }
  for (const [index, edge] of edges.entries()) {
    if (edge.from === edge.to) continue;
    if (cut.has(edge.key)) {
      const { width = 0, height = 0 } = labels.get(edge.key) ?? {};
      graph.setNode(`cut ${index}`, { width, height });
      graph.setEdge(idOf(edge.from), `cut ${index}`, { width: 0, height: 0, weight: 1 }, `${index}`);
      continue;
    }
    // Rules keep their teams near; the default may take a longer path.
    const weight = edge.kind === 'default' ? 1 : 2;
    const { width = 0, height = 0 } = labels.get(edge.key) ?? {};
    graph.setEdge(idOf(edge.from), idOf(edge.to), { width, height, labelpos: 'c', weight }, `${index}`);
  }
  layout(graph, {
    customOrder: (ranked, order) => order(ranked, { disableOptimalOrderHeuristic: isLarge, constraints: rulesInOrder(ranked) }),
  });

  const placed = nodes.map((node): NodeLayout => {
    const laidOut = graph.node(idOf(node.key));
    const { width, height } = boxes.get(node.key) ?? { width: 0, height: 0 };
    return { node, x: round(laidOut.x - laidOut.width / 2), y: round(laidOut.y - height / 2), width, height };
  });
  const boxOf = new Map(placed.map((placedBox) => [placedBox.node.key, placedBox]));
  const drawn = edges.flatMap((edge, index): EdgeLayout | readonly [] => {
    if (edge.from === edge.to) return [];
    const label = labels.get(edge.key);
    const isBack = (boxOf.get(edge.to)?.y ?? 0) < (boxOf.get(edge.from)?.y ?? 0);
    if (cut.has(edge.key) && label !== undefined) {
      const { x, y } = graph.node(`cut ${index}`);
      const box = { ...label, x: round(x - label.width / 2), y: round(y - label.height / 2) };
      return { edge, points: [{ x, y: box.y }], label: box, isBack, isCut: true };
    }
    const { x = 0, y = 0, points = [] } = graph.edge(idOf(edge.from), idOf(edge.to), `${index}`);
    const box = label && { x: round(x - label.width / 2), y: round(y - label.height / 2), ...label };
    return { edge, points: points.slice(1, -1), label: box ?? null, isBack, isCut: false };
  });
  const all = [...connect(drawn, boxOf), ...[...loops].flatMap(([key, teamLoops]) => drawLoops(teamLoops, boxOf.get(key), labels))];
  const order = new Map(edges.map(({ key }, index) => [key, index]));
  all.sort((left, right) => (order.get(left.edge.key) ?? 0) - (order.get(right.edge.key) ?? 0));

  const parts: readonly Box[] = [...placed, ...all.flatMap(({ label }) => label ?? [])];
  const points = all.flatMap((edge) => edge.points);
  const far = (ends: readonly number[]) => ends.reduce((most, end) => Math.max(most, end), 0) + sizes.margin;
  return {
    width: far([...parts.map(({ x, width }) => x + width), ...points.map(({ x }) => x)]),
    height: far([...parts.map(({ y, height }) => y + height), ...points.map(({ y }) => y)]),
    nodes: placed,
    edges: all,
  };
}

type Labels = ReadonlyMap<string, LabelSize | undefined>;

interface LabelSize {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
}

/** Gives every edge its ends, spread over the lower and upper borders of its boxes in the order of their targets, so that none cross there. */
function connect(edges: readonly EdgeLayout[], boxes: ReadonlyMap<string, NodeLayout>): readonly EdgeLayout[] {
  const ends = edges.flatMap(({ edge, points, isBack, isCut }) => {
    const first = { key: edge.key, node: edge.from, isBelow: isCut || !isBack, towards: points[0]?.x ?? 0, isFirst: true };
    return isCut ? [first] : [first, { key: edge.key, node: edge.to, isBelow: isBack, towards: points.at(-1)?.x ?? 0, isFirst: false }];
  });
  const at = new Map<string, Point>();
  for (const side of groupBy(ends, ({ node, isBelow }) => `${isBelow} ${node}`).values()) {
    side.sort((left, right) => left.towards - right.towards);
    for (const [index, { key, node, isBelow, isFirst }] of side.entries()) {
      const box = boxes.get(node);
      if (box === undefined) continue;
      const gap = Math.min(28, (box.width - 16) / side.length);
      const x = box.x + box.width / 2 + (index - (side.length - 1) / 2) * gap;
      at.set(`${isFirst} ${key}`, { x: round(x), y: round(isBelow ? box.y + box.height : box.y) });
    }
  }
  return edges.map((drawnEdge) => {
    const first = at.get(`true ${drawnEdge.edge.key}`);
    const last = at.get(`false ${drawnEdge.edge.key}`);
    const between = drawnEdge.points.map(({ x, y }) => ({ x: round(x), y: round(y) }));
    return { ...drawnEdge, points: [...(first ? [first] : []), ...between, ...(last ? [last] : [])] };
  });
}

/** How far a team's edge to itself sticks out on its right. */
const loopReach = 18;
const loopGap = 4;

function loopsSize(loops: readonly GraphEdge[], labels: Labels): { readonly width: number; readonly height: number } {
  if (loops.length === 0) return { width: 0, height: 0 };
  const sizesOf = loops.map(({ key }) => labels.get(key)).filter((label) => label !== undefined);
  return {
    width: loopReach + loopGap + Math.max(0, ...sizesOf.map(({ width }) => width)),
    height: sizesOf.reduce((sum, { height }) => sum + height + loopGap, 0),
  };
}

/** Edges of a team to itself: out of its right side and back, one below the other. */
function drawLoops(loops: readonly GraphEdge[], box: NodeLayout | undefined, labels: Labels): readonly EdgeLayout[] {
  if (box === undefined) return [];
  const right = round(box.x + box.width);
  let top = box.y + (box.height - loopsSize(loops, labels).height) / 2;
  return loops.map((edge, index) => {
    const label = labels.get(edge.key);
    const { width = 0, height = 0, lines = [] } = label ?? {};
    // The ends are on the box, whose height they share.
    const share = box.height / loops.length;
    const y = (part: number) => round(box.y + share * (index + part));
    const out = right + loopReach;
    const placed = { x: round(out + loopGap), y: round(top), width, height, lines };
    top += height + loopGap;
    const points = [
      { x: right, y: y(0.3) },
      { x: out, y: y(0.3) },
      { x: out, y: y(0.7) },
      { x: right, y: y(0.7) },
    ];
    return { edge, points, label: label ? placed : null, isBack: true, isCut: false };
  });
}

/** Edges that do not lead to the next level, where a level is the fewest teams that a run passes before. */
function findFar(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): ReadonlySet<string> {
  const out = groupBy(edges, ({ from }) => from);
  const levels = new Map<string, number>();
  for (const { key } of nodes) {
    if (levels.has(key)) continue;
    levels.set(key, 0);
    // A list grows while it is iterated.
    const reached = [key];
    for (const from of reached) {
      for (const { to } of out.get(from) ?? []) {
        if (levels.has(to)) continue;
        levels.set(to, (levels.get(from) ?? 0) + 1);
        reached.push(to);
      }
    }
  }
  const levelOf = (key: string) => levels.get(key) ?? 0;
  return new Set(edges.filter(({ from, to }) => from !== to && levelOf(to) !== levelOf(from) + 1).map(({ key }) => key));
}

function labelOf(edge: GraphEdge, words: GraphWords, isLarge: boolean, isCut: boolean): LabelSize | undefined {
  if (edge.kind === 'entry') return undefined;
  const { width: widest, lines: most, line, padding } = sizes.label;
  const measure = (text: string) => textWidth(text, sizes.small);
  const target = edge.to.startsWith('end') ? words.end : edge.to.slice(edge.to.indexOf(' ') + 1);
  const text = labelText(edge, words);
  const lines = isCut
    ? [fitText(text, widest, measure), fitText(`→ ${target}`, widest, measure)]
    : wrapText(text, widest, isLarge ? 1 : most, measure);
  const width = Math.ceil(Math.max(...lines.map(measure))) + padding * 2;
  return { lines, width, height: lines.length * line + padding };
}

function sizeOf(node: GraphNode, { start, end }: GraphWords): { readonly width: number; readonly height: number } {
  if (node.kind !== 'team') {
    const text = node.kind === 'start' ? start : node.kind === 'end' ? end : node.id;
    return { width: clamp(textWidth(text, sizes.font) + sizes.padding * 2 + 8, 64), height: sizes.place };
  }
  const header = textWidth(node.id, sizes.font) * 1.08 + (node.name === '' ? 0 : textWidth(`  ${node.name}`, sizes.small)) + 20;
  const tasks = node.tasks.map((task) => {
    const mark = task.marks.length > 0 ? 18 : 0;
    return textWidth(task.name, sizes.font) + textWidth(`  ${taskDetail(task)}`, sizes.small) + 14 + mark;
  });
  return {
    width: clamp(Math.max(header, ...tasks) + sizes.padding * 2, sizes.narrowest),
    height: sizes.header + Math.max(1, node.tasks.length) * sizes.task + sizes.foot,
  };
}

function clamp(width: number, narrowest: number): number {
  return Math.min(sizes.widest, Math.max(narrowest, Math.ceil(width)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
