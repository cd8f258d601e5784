import type { MarkupContent } from 'vscode-languageserver';
import { escapeMarkdown, oneLine } from '../../core/escape.js';

/**
 * A piece of a line. A plain string is shown literally, without markup. `code` is a value or name from a config; `link` leads to a page of
 * the documentation or a file of the project, never to an address from a config.
 */
export type Part = string | { readonly code: string } | { readonly strong: string } | { readonly link: string; readonly href: string };

/** A paragraph, a list, or a literal quote from a config. */
export type Block =
  | { readonly type: 'line'; readonly parts: readonly Part[] }
  | { readonly type: 'list'; readonly items: readonly (readonly Part[])[] }
  | { readonly type: 'quote'; readonly text: string };

export function line(...parts: readonly Part[]): Block {
  return { type: 'line', parts };
}

export function list(items: readonly (readonly Part[])[]): Block {
  return { type: 'list', items };
}

/**
 * The content of a hover. Texts from configs cannot become links, images or HTML: words are escaped, and everything else is code. Clients
 * that show plain text get the same without markup.
 */
export function toMarkup(blocks: readonly Block[], kind: MarkupContent['kind']): MarkupContent {
  const write = kind === 'markdown' ? toMarkdown : toPlain;
  return { kind, value: blocks.map(write).join(kind === 'markdown' ? '\n\n' : '\n') };
}

function toMarkdown(block: Block): string {
  switch (block.type) {
    case 'line':
      return block.parts.map(markdownPart).join('');
    case 'list':
      return block.items.map((parts) => `- ${parts.map(markdownPart).join('')}`).join('\n');
    case 'quote': {
      const fence = '`'.repeat(Math.max(3, longestRun(block.text) + 1));
      return `${fence}text\n${block.text}\n${fence}`;
    }
  }
}

function markdownPart(part: Part): string {
  if (typeof part === 'string') return escapeMarkdown(part);
  // Asterisks beside a space are not emphasis.
  if ('strong' in part)
    return part.strong.replace(
      /^(\s*)(.*?)(\s*)$/s,
      (_whole, before: string, text: string, behind: string) => `${before}**${escapeMarkdown(text)}**${behind}`,
    );
  if ('link' in part) return `[${escapeMarkdown(part.link)}](<${part.href.replace(/[<>\s]/g, encodeURIComponent)}>)`;
  const text = oneLine(part.code);
  const ticks = '`'.repeat(longestRun(text) + 1);
  const space = text.startsWith('`') || text.endsWith('`') || text === '' ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

function toPlain(block: Block): string {
  switch (block.type) {
    case 'line':
      return block.parts.map(plainPart).join('');
    case 'list':
      return block.items.map((parts) => `- ${parts.map(plainPart).join('')}`).join('\n');
    case 'quote':
      return block.text.replace(/^/gm, '    ');
  }
}

function plainPart(part: Part): string {
  if (typeof part === 'string') return oneLine(part);
  if ('strong' in part) return oneLine(part.strong);
  return 'link' in part ? part.link : oneLine(part.code);
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ({ 0: run }) => run.length));
}
