import { escapeMarkup } from '../../../escape.js';
import { visibleLines } from '../../../visibleText.js';

/** Elements that a page of a report is made of. Every other name is refused where a page is built. */
export const pageTags = [
  'main',
  'section',
  'h1',
  'h2',
  'h3',
  'p',
  'ul',
  'li',
  'div',
  'span',
  'code',
  'pre',
  'del',
  'ins',
  'details',
  'summary',
  'table',
  'caption',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'button',
  'svg',
  'rect',
] as const;

export type PageTag = (typeof pageTags)[number];

/** Attributes that a page may have: none of them loads or runs anything. */
export const pageAttributes = [
  'class',
  'role',
  'scope',
  'colspan',
  'open',
  'tabindex',
  'type',
  'aria-label',
  'aria-hidden',
  'viewBox',
  'preserveAspectRatio',
  'x',
  'width',
  'height',
] as const;

export type PageAttributes = { readonly [name in (typeof pageAttributes)[number]]?: string | number | true | undefined };

/** The action of a button on a live page. */
export type PageAction =
  /** `side`: of a comparison. */
  | { readonly type: 'place'; readonly file: string; readonly pointer: string; readonly side?: 'before' | 'after' }
  /** One run: indices of the suite and its case in the report, the repeat from 1. */
  | { readonly type: 'run'; readonly suite: number; readonly case: number; readonly repeat: number }
  /** Shows the omitted cases. */
  | { readonly type: 'all' }
  /** Of a migration: writes its files, shows them first, or includes what is not known, or no longer. */
  | { readonly type: 'migrate'; readonly step: 'apply' | 'changes' | 'unknown' };

/** A page as plain data. Strings are plain text, never HTML: `toHtml` escapes them, and the webview makes text nodes of them. */
export interface PageElement {
  readonly tag: PageTag;
  readonly attributes?: PageAttributes;
  readonly action?: PageAction;
  readonly children: readonly PageNode[];
}

export type PageNode = PageElement | string;

export function h(tag: PageTag, attributes: PageAttributes = {}, ...children: readonly PageNode[]): PageElement {
  return { tag, attributes, children };
}

/** Whether a page has a button with this action. A webview is not trusted: its panel does only what it has sent. */
export function hasAction(page: PageElement, action: PageAction): boolean {
  if (page.action !== undefined && JSON.stringify(page.action) === JSON.stringify(action)) return true;
  return page.children.some((child) => typeof child !== 'string' && hasAction(child, action));
}

/** A page as HTML. No text becomes markup, and invisible characters are spelled out. */
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
  return escapeMarkup(visibleLines(text));
}
