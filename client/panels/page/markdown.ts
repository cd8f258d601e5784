import MarkdownIt, { type Token } from 'markdown-it';
import { codeNodes } from './code.js';
import { type Attributes, button, element } from './page.js';

/** The Markdown a model may write, as elements. Anything else is shown as plain text, including its HTML, and no picture is loaded. */
const tags = [
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'hr'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'em', 'strong', 's', 'br'],
] as const;
type Tag = (typeof tags)[number];

const parser = new MarkdownIt({ html: false, linkify: true });
// Only what has a scheme is an address: README.md:3 is a file, though it would also do as a host.
parser.linkify.set({ fuzzyLink: false });

/** Longer texts are shown as they are, in UTF-16 units. */
const longest = 200_000;

/**
 * A text that a model wrote, rendered; undefined where there is nothing in it to render.
 *
 * @param open gets the address of a link: only the extension may open it
 */
export function renderMarkdown(text: string, open: (address: string) => void): HTMLElement | undefined {
  if (text.length > longest) return undefined;
  const tokens = parser.parse(text, {});
  if (tokens.every(isPlain)) return undefined;
  const root = element('div', { class: 'markdown' });
  append(root, tokens, open);
  return root;
}

function isPlain({ type, children }: Token): boolean {
  return (
    ['paragraph_open', 'paragraph_close', 'text', 'softbreak'].includes(type) || (type === 'inline' && (children ?? []).every(isPlain))
  );
}

function append(root: HTMLElement, tokens: readonly Token[], open: (address: string) => void): void {
  const parents = [root];
  for (const token of tokens) {
    const parent = parents.at(-1) ?? root;
    if (token.nesting < 0) {
      if (parents.length > 1) parents.pop();
      if (token.type === 'link_close') parent.after(...targetOf(parent));
      continue;
    }
    const node = nodeOf(token, open);
    parent.append(node);
    if (token.type === 'inline') append(parent, token.children ?? [], open);
    if (token.nesting > 0 && node instanceof HTMLElement) parents.push(node);
  }
}

function nodeOf(token: Token, open: (address: string) => void): Node | string {
  const { type, tag, content } = token;
  switch (type) {
    case 'inline':
      return '';
    case 'text':
      return content;
    case 'softbreak':
      return '\n';
    case 'code_inline':
      return element('code', {}, content);
    case 'fence':
    case 'code_block':
      return element('pre', { class: 'code', tabindex: 0 }, ...codeNodes(content.replace(/\n$/, ''), languageOf(token)));
    case 'link_open':
      return linkTo(token.attrGet('href') ?? '', open);
    case 'image':
      return element('span', { class: 'muted' }, `${content} (${token.attrGet('src') ?? ''})`);
    default:
      return isTag(tag) ? element(tag, attributesOf(token)) : content;
  }
}

function isTag(tag: string): tag is Tag {
  return tags.some((knownTag) => knownTag === tag);
}

function attributesOf(token: Token): Attributes {
  if (token.type === 'ordered_list_open') return { start: token.attrGet('start') ?? undefined };
  const align = /^text-align:(left|center|right)$/.exec(token.attrGet('style') ?? '')?.[1];
  return { class: align && `to-${align}` };
}

function languageOf({ info }: Token): 'json' | 'plain' {
  return /^jsonc?\b/i.test(info.trim()) ? 'json' : 'plain';
}

/** A link that the extension opens; one that leads anywhere but into the web is text. */
function linkTo(address: string, open: (address: string) => void): HTMLElement {
  if (!/^(?:https?|mailto):/i.test(address)) return element('span', { 'data-target': address });
  return button({ class: 'link', 'data-target': address, title: address, onclick: () => open(address) });
}

/** The address of a link is shown beside it, unless its text is that address. */
function targetOf(link: HTMLElement): readonly Node[] {
  const target = link.dataset.target ?? '';
  if (target === '' || decoded(target) === decoded(link.textContent ?? '')) return [];
  return [element('span', { class: 'muted' }, ` (${target})`)];
}

function decoded(address: string): string {
  try {
    return decodeURI(address).replace(/^mailto:|\/$/g, '');
  } catch (error) {
    if (error instanceof URIError) return address;
    throw error;
  }
}
