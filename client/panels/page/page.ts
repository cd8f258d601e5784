// What the pages share. They run in a sandboxed frame without network and show text, never HTML: nothing here parses markup.
import { t } from './l10n.js';

/** Attributes by name; `undefined` and `false` leave one out, `true` sets it empty. Functions are listeners (`onclick`). */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** An element with attributes and children. Strings become text nodes, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') created.addEventListener(key.slice('on'.length), value);
    else if (value !== undefined && value !== false) created.setAttribute(key, value === true ? '' : String(value));
  }
  created.append(...children.filter((child) => child !== undefined));
  return created;
}

/** A button that sends no form. `class` says how it looks: `secondary`, `link`; without one it is the main button. */
export function button(attributes: Attributes, ...children: readonly (Node | string | undefined)[]): HTMLButtonElement {
  return element('button', { type: 'button', ...attributes }, ...children);
}

/** A button that copies something of the panel, and confirms it for a moment. */
export function copyButton(label: string, copy: () => void): HTMLButtonElement {
  const onclick = () => {
    copy();
    link.textContent = t('Copied');
    setTimeout(() => {
      link.textContent = t('Copy');
    }, 1500);
  };
  const link = button({ class: 'link', 'aria-label': label, onclick }, t('Copy'));
  return link;
}
