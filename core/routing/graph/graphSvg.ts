import { escapeMarkup } from '../../escape.js';
import { visibleText } from '../../visibleText.js';
import { edgePath } from './edgePath.js';
import { type EdgeLayout, type GraphLayout, type NodeLayout, sizes } from './graphLayout.js';
import type { TeamNode } from './graphModel.js';
import { englishWords, taskDetail } from './graphWords.js';
import { fitText, textWidth } from './textWidth.js';

/** Light by default, dark where the viewer prefers that; nothing is loaded and nothing runs. */
const style = `
svg { color-scheme: light dark; --paper: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #8c959f; --box: #f6f8fa; --red: #cf222e; --amber: #9a6700 }
@media (prefers-color-scheme: dark) { svg { --paper: #0d1117; --ink: #e6edf3; --soft: #9198a1; --line: #6e7681; --box: #161b22; --red: #ff7b72; --amber: #d29922 } }
text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; font-size: ${sizes.small}px; fill: var(--ink) }
.paper { fill: var(--paper) } .box { fill: var(--box); stroke: var(--line) } .entry .box { stroke: var(--ink); stroke-width: 1.6 }
.name { font-size: ${sizes.font}px; font-weight: 600 } .task { font-size: ${sizes.font}px } .soft { fill: var(--soft) }
.rule { stroke: var(--line) } .way { fill: none; stroke: var(--line); stroke-width: 1.2 } .head { fill: var(--line) } .default .way { stroke-dasharray: 5 4 }
.back .way { stroke: var(--amber) } .plate { fill: var(--paper) } .unreachable { opacity: 0.55 } .unreachable .box { stroke-dasharray: 4 3 }
.missing .box { stroke: var(--red); stroke-dasharray: 4 3 } .error { fill: var(--red) } .warning { fill: var(--amber) }`.trim();

/** The picture as one self-contained SVG document, in light or dark as its viewer prefers. Ends with a line break. */
export function graphSvg(layout: GraphLayout, title: string): string {
  const { width, height, nodes, edges } = layout;
  const [w, h] = [Math.ceil(width), Math.ceil(height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-labelledby="title">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<style>${style}</style>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="paper" width="${w}" height="${h}"/>`,
    ...edges.map(wayOf),
    ...nodes.map(nodeOf),
    ...edges.flatMap(labelOf),
    '</svg>',
    '',
  ].join('\n');
}

function wayOf(way: EdgeLayout): string {
  const { edge, isBack } = way;
  const kinds = [edge.kind, isBack ? 'back' : ''].filter(Boolean).join(' ');
  return `<g class="${kinds}"><path class="way" marker-end="url(#head)" d="${edgePath(way)}"/></g>`;
}

function labelOf({ edge, label }: EdgeLayout): readonly string[] {
  if (label === null) return [];
  const { x, y, width, height, lines } = label;
  const centre = x + width / 2;
  const texts = lines.map(
    (line, index) =>
      `<text x="${centre}" y="${y + sizes.label.padding / 2 + index * sizes.label.line + 11}" text-anchor="middle">${escapeXml(line)}</text>`,
  );
  const fullTitle = `<title>${escapeXml(edge.words || englishWords.default)}</title>`;
  return [
    `<g>${fullTitle}<rect class="plate" x="${x}" y="${y}" width="${width}" height="${height}" rx="3"/>${texts.join('')}${markOf(edge.marks, x - 4, y + 11)}</g>`,
  ];
}

function nodeOf({ node, x, y, width, height }: NodeLayout): string {
  if (node.kind === 'team') return teamOf(node, { x, y, width, height });
  const text = node.kind === 'missing' ? node.id : englishWords[node.kind];
  const fittedText = fitText(text, width - sizes.padding * 2, (part) => textWidth(part, sizes.font));
  const round = node.kind === 'missing' ? 3 : height / 2;
  return (
    `<g class="${node.kind}"><rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}"/>` +
    `<text class="task" x="${x + width / 2}" y="${y + height / 2 + 4.5}" text-anchor="middle">${escapeXml(fittedText)}</text></g>`
  );
}

function teamOf(node: TeamNode, { x, y, width, height }: Omit<NodeLayout, 'node'>): string {
  const inner = width - sizes.padding * 2;
  const kinds = ['team', node.isEntry ? 'entry' : '', node.isUnreachable ? 'unreachable' : ''].filter(Boolean).join(' ');
  const left = x + sizes.padding;
  const right = x + width - sizes.padding;
  const bold = (text: string) => textWidth(text, sizes.font) * 1.08;
  const id = fitText(node.id, inner - (node.marks.length > 0 ? 18 : 0), bold);
  const name = fitText(node.name, inner - bold(id) - 26, (text) => textWidth(text, sizes.small));
  const parts = [
    `<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="4"/>`,
    `<text class="name" x="${left}" y="${y + 20}">${escapeXml(id)}</text>`,
    name.length < 3 ? '' : `<text class="soft" x="${left + bold(id) + 8}" y="${y + 20}">${escapeXml(name)}</text>`,
    `<path class="rule" d="M${x} ${y + sizes.header - 1}h${width}"/>`,
    markOf(node.marks, right, y + 20),
  ];
  for (const [index, task] of node.tasks.entries()) {
    const line = y + sizes.header + index * sizes.task + 15;
    const taskName = fitText(task.name, inner, (text) => textWidth(text, sizes.font));
    const start = textWidth(taskName, sizes.font) + 8;
    const detail = fitText(taskDetail(task), inner - start - (task.marks.length > 0 ? 14 : 0), (text) => textWidth(text, sizes.small));
    parts.push(`<text class="task" x="${left}" y="${line}">${escapeXml(taskName)}</text>`);
    if (detail.length > 2) parts.push(`<text class="soft" x="${left + start}" y="${line}">${escapeXml(detail)}</text>`);
    parts.push(markOf(task.marks, right, line));
  }
  return `<g class="${kinds}">${parts.join('')}</g>`;
}

function markOf(marks: TeamNode['marks'], x: number, y: number): string {
  const worst = marks.find(({ severity }) => severity === 'error') ?? marks.find(({ severity }) => severity === 'warning');
  if (worst === undefined) return '';
  const messages = marks.map(({ message }) => message).join('\n');
  return `<text class="${worst.severity}" x="${x}" y="${y}" text-anchor="end">${worst.severity === 'error' ? '✗' : '⚠'}<title>${escapeXml(messages)}</title></text>`;
}

function escapeXml(text: string): string {
  return escapeMarkup(visibleText(text));
}
