import { visibleLines } from '../../core/visibleText.js';
import { toCells } from './cells.js';
import type { Styles } from './styles.js';

/**
 * Markdown as a terminal reads well: headings bold, code blocks indented, inline code coloured, paragraphs and list items
 * wrapped. Knows what our own pages use: headings, paragraphs, lists, tables, fences, inline code, emphasis, links.
 */
export function renderMarkdown(markdown: string, styles: Styles, columns: number): string {
  const width = Math.min(columns, 100);
  const blocks: string[] = [];
  const lines = visibleLines(markdown).split('\n');
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]!;
    const fence = /^(\s*)(```+|~~~+)/.exec(line);
    if (fence) {
      const close = lines.findIndex((other, at) => at > index && other.trimStart().startsWith(fence[2]!));
      const end = close < 0 ? lines.length : close;
      blocks.push(
        lines
          .slice(index + 1, end)
          .map((code) => `    ${styles.cyan(code)}`.trimEnd())
          .join('\n'),
      );
      index = end + 1;
    } else if (line.trim() === '') index += 1;
    else if (line.startsWith('#')) {
      blocks.push(styles.bold(inline(line.replace(/^#+\s*/, ''), styles)));
      index += 1;
    } else {
      const end = lines.findIndex((other, at) => at > index && (other.trim() === '' || /^(?:#|```|~~~)/.test(other)));
      blocks.push(paragraph(lines.slice(index, end < 0 ? lines.length : end), styles, width));
      index = end < 0 ? lines.length : end;
    }
  }
  return blocks.join('\n\n');
}

const bullet = /^(\s*)([-*]|\d+\.)\s+/;

/** A paragraph, or a list whose items may run over several lines. Tables stay as they are. */
function paragraph(lines: readonly string[], styles: Styles, width: number): string {
  if (lines[0]!.startsWith('|')) return lines.map((line) => inline(line, styles)).join('\n');
  const items: string[] = [];
  for (const line of lines) {
    if (items.length === 0 || bullet.test(line)) items.push(line);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items
    .map((item) => {
      const match = bullet.exec(item);
      const lead = match ? `${match[1]}${match[2] === '*' ? '-' : match[2]} ` : '';
      return wrap(item.slice(match?.[0].length ?? 0).trim(), lead, width)
        .map((line) => inline(line, styles))
        .join('\n');
    })
    .join('\n');
}

/** Wraps before styles are added, so that they never count; a code span that is broken keeps its marks on both lines. */
function wrap(text: string, lead: string, width: number): string[] {
  const indent = ' '.repeat(lead.length);
  const lines: string[] = [];
  let line = lead;
  let open = false;
  for (const word of text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split(/\s+/)) {
    const isFirst = line === lead || line === indent;
    if (!isFirst && columnsOf(line) + 1 + columnsOf(word) > width) {
      lines.push(open ? `${line}\`` : line);
      line = `${indent}${open ? '`' : ''}${word}`;
    } else line = isFirst ? line + word : `${line} ${word}`;
    if ((word.split('`').length - 1) % 2 === 1) open = !open;
  }
  return [...lines, line];
}

/** Columns a text takes once its marks are gone. */
function columnsOf(text: string): number {
  return toCells(text.replace(/`|\*\*/g, '')).reduce((sum, cell) => sum + cell.width, 0);
}

function inline(text: string, styles: Styles): string {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') && part.length > 1
        ? styles.cyan(part.slice(1, -1))
        : part.replace(/\*\*([^*]+)\*\*/g, (_, strong) => styles.bold(strong)),
    )
    .join('');
}
