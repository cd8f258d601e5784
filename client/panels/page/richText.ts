import { t } from './l10n.js';
import { renderMarkdown } from './markdown.js';
import { button, element } from './page.js';
import type { TextLinks } from './textLinks.js';

export interface RichTextOptions {
  readonly text: string;
  /** The unchanged text. */
  readonly raw: () => HTMLElement;
  readonly links: TextLinks;
}

/** A text of a model: rendered if it is Markdown, with the original text one click away. */
export function richText({ text, raw, links }: RichTextOptions): HTMLElement {
  const rendered = renderMarkdown(text, links.open);
  const rawText = () => {
    const text = raw();
    links.markFiles(text);
    return text;
  };
  if (rendered === undefined) return rawText();
  links.markFiles(rendered);
  let plain: HTMLElement | undefined;
  const toggle = button({
    class: 'link as-text',
    onclick: () => {
      plain ??= box.appendChild(rawText());
      rendered.hidden = !rendered.hidden;
      plain.hidden = !rendered.hidden;
      label();
    },
  });
  const label = () => {
    toggle.textContent = rendered.hidden ? t('Show Rendered') : t('Show as Text');
  };
  label();
  const box = element('div', { class: 'rich-text' }, toggle, rendered);
  return box;
}
