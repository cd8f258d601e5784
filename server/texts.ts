import * as l10n from '@vscode/l10n';
import type { Translate } from '../core/words.js';

let locale = 'en';

/**
 * From here on, what the server says is in the language of its client. There is one client for each process.
 *
 * @param bundle translations as VS Code has them in l10n/; undefined for English
 */
export function useLanguage(tag: string | undefined, bundle: string | undefined): void {
  if (bundle === undefined) return;
  l10n.config({ contents: bundle });
  locale = tag ?? 'en';
}

export const translate: Translate = l10n.t;

/** The language of what is said, BCP 47: numbers are written as it writes them. */
export function language(): string {
  return locale;
}

/** A number as the language writes it. */
export function number(value: number): string {
  return value.toLocaleString(locale);
}
