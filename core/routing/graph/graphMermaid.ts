import { visibleText } from '../../visibleText.js';
import type { GraphModel, GraphNode } from './graphModel.js';
import { englishWords, labelText, taskDetail } from './graphWords.js';

/** Most characters of a condition on an arrow; with more, Mermaid's picture becomes hard to read. */
const longestLabel = 120;

/** The graph as a Mermaid flowchart, as GitHub and others show it in a fenced block. Ends with a line break. */
export function graphMermaid({ nodes, edges }: GraphModel): string {
  const ids = new Map(nodes.map(({ key }, index) => [key, `n${index}`]));
  const idOf = (key: string) => ids.get(key) ?? '';
  const lines = ['flowchart TD'];
  for (const node of nodes) lines.push(`  ${idOf(node.key)}${shapeOf(node)}`);
  for (const edge of edges) {
    const arrow = edge.kind === 'default' ? '-.->' : '-->';
    const text = labelText(edge, englishWords);
    const label = text === '' ? '' : `|"${quoted(shortened(text))}"|`;
    lines.push(`  ${idOf(edge.from)} ${arrow}${label} ${idOf(edge.to)}`);
  }
  const unreachable = nodes.filter((node) => node.kind === 'team' && node.isUnreachable);
  const missing = nodes.filter(({ kind }) => kind === 'missing');
  const style = (name: string, css: string, members: readonly GraphNode[]) => {
    if (members.length > 0) lines.push(`  classDef ${name} ${css}`, `  class ${members.map(({ key }) => idOf(key)).join(',')} ${name}`);
  };
  style('unreachable', 'stroke-dasharray: 4 3,opacity: 0.6', unreachable);
  style('missing', 'stroke:#d1242f,stroke-dasharray: 4 3', missing);
  return `${lines.join('\n')}\n`;
}

function shapeOf(node: GraphNode): string {
  if (node.kind !== 'team') return node.kind === 'missing' ? `["${quoted(node.id)} ?"]` : `(["${englishWords[node.kind]}"])`;
  const title = node.name === '' ? quoted(node.id) : `${quoted(node.id)}: ${quoted(node.name)}`;
  const tasks = node.tasks.map((task) => {
    const detail = taskDetail(task);
    return detail === '' ? quoted(task.name) : `${quoted(task.name)} (${quoted(detail)})`;
  });
  return `["${[`<b>${title}</b>`, ...tasks].join('<br>')}"]`;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= longestLabel ? text : `${characters.slice(0, longestLabel - 1).join('')}…`;
}

/** Escapes every character with a meaning in Mermaid, HTML or Markdown, so that nothing in a file can draw or end a label. */
function quoted(text: string): string {
  return visibleText(text).replace(/[^\p{L}\p{M}\p{N} .,:;!?()=+/@%…·_-]/gu, (character) => `#${character.codePointAt(0)};`);
}
