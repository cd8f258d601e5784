import { usdBoundText, usdRangeText, usdText } from '../../../core/amounts.js';
import { element } from '../../panels/page/page.js';
import type { FromPage } from '../../views/preview/messages.js';

/** Words of the interface in the user's language. */
export type Words = (key: string, ...values: readonly (string | number)[]) => string;
export type Post = (message: FromPage) => void;

/** Numbers as the user's language writes them. */
export function number(value: number, digits = 0): string {
  return value.toLocaleString(language(), { maximumFractionDigits: digits });
}

/** Money as the user's language writes it. */
export function dollars(value: number): string {
  return usdText(value, language());
}

/** The same of an upper bound. */
export function dollarsAtMost(value: number): string {
  return usdBoundText(value, language());
}

/** From the cost of the prompt to the most that the answer can add. */
export function dollarRange(least: number, most: number): string {
  return usdRangeText(least, most, language());
}

function language(): string {
  return document.documentElement.lang || 'en';
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
