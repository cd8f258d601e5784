import { t } from './l10n.js';
import { renderMarkdown } from './markdown.js';
import { button, element } from './page.js';

export interface RichTextOptions {
  readonly text: string;
  /** The unchanged text. */
  readonly raw: () => HTMLElement;
  /** Gets the address of a link: only the extension may open it. */
  readonly open: (address: string) => void;
}

/** A text of a model: rendered if it is Markdown, with the original text one click away. */
export function richText({ text, raw, open }: RichTextOptions): HTMLElement {
  const rendered = renderMarkdown(text, open);
  if (rendered === undefined) return raw();
  let plain: HTMLElement | undefined;
  const toggle = button({
    class: 'link as-text',
    onclick: () => {
      plain ??= box.appendChild(raw());
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
