import { type PageAction, type PageElement, type PageNode, pageAttributes, pageTags } from '../../../core/eval/report/page/pageElement.js';

const svgNamespace = 'http://www.w3.org/2000/svg';
const svgTags: readonly string[] = ['svg', 'rect'];

/** Builds a page. Texts become text nodes, and what is not a tag or attribute of a page is left out. */
export function toDom(node: PageElement, act: (action: PageAction) => void): Element {
  const { tag, attributes = {}, action, children } = node;
  if (!pageTags.includes(tag)) return document.createElement('span');
  const made = svgTags.includes(tag) ? document.createElementNS(svgNamespace, tag) : document.createElement(tag);
  for (const name of pageAttributes) {
    const value = attributes[name];
    if (value !== undefined) made.setAttribute(name, value === true ? '' : String(value));
  }
  if (action !== undefined) made.addEventListener('click', () => act(action));
  made.append(...children.map((child: PageNode) => (typeof child === 'string' ? child : toDom(child, act))));
  return made;
}
