import type { FromPage } from '../../views/preview/messages.js';
import { element } from '../page.js';

/** Words of the interface in the user's language. */
export type Words = (key: string, ...values: readonly (string | number)[]) => string;
export type Post = (message: FromPage) => void;

/** Numbers as the user's language writes them. */
export function number(value: number, digits = 0): string {
  return value.toLocaleString(document.documentElement.lang || undefined, { maximumFractionDigits: digits });
}

/** USD with enough digits to tell small prompts apart. */
export function dollars(value: number): string {
  const digits = value === 0 || value >= 1 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(value)));
  return `$${value.toLocaleString(document.documentElement.lang || undefined, { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

/** A button that copies something the extension has, and says so for a moment. */
export function copyButton(words: Words, label: string, copy: () => void): HTMLButtonElement {
  const button = element(
    'button',
    {
      class: 'link',
      type: 'button',
      'aria-label': label,
      onclick: () => {
        copy();
        button.textContent = words('copied');
        setTimeout(() => {
          button.textContent = words('copy');
        }, 1500);
      },
    },
    words('copy'),
  );
  return button;
}
