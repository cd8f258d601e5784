import * as l10n from '@vscode/l10n';
import type { Translate } from '../core/words.js';

let locale = 'en';

/**
 * Sets the language of the server's texts to that of its client. There is one client per process.
 *
 * @param bundle translations as VS Code has them in l10n/; undefined for English
 */
export function useLanguage(tag: string | undefined, bundle: string | undefined): void {
  if (bundle === undefined) return;
  l10n.config({ contents: bundle });
  locale = tag ?? 'en';
}

export const translate: Translate = l10n.t;

/** The language of the texts, BCP 47; it determines the format of numbers. */
export function language(): string {
  return locale;
}

/** A number in the format of the language. */
export function number(value: number): string {
  return value.toLocaleString(locale);
}
