import { visibleLines } from '../../../visibleText.js';
import type { PageNode } from './pageElement.js';

/** A page as HTML. Nothing in a text becomes markup, and what would be invisible is spelled out. */
export function toHtml(node: PageNode): string {
  if (typeof node === 'string') return escapeHtml(node);
  const { tag, attributes = {}, children } = node;
  const written = Object.entries(attributes).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  });
  return `<${tag}${written.join('')}>${children.map(toHtml).join('')}</${tag}>`;
}

export function escapeHtml(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
