// Numbers, amounts and states as the user's language writes them.
import { durationText, usdBoundText, usdRangeText, usdText } from '../../../core/amounts.js';
import { countText } from '../../../core/llm/tokenText.js';
import type { ViewStatus } from '../messages.js';
import { t } from './l10n.js';

export const language = document.documentElement.lang || 'en';

export function statusWord(status: ViewStatus): string {
  const words: Readonly<Record<ViewStatus, string>> = {
    running: t('Running'),
    completed: t('Completed'),
    partial: t('Partial'),
    failed: t('Failed'),
    cancelled: t('Cancelled'),
    open: t('Not ended'),
    broken: t('Cannot be read'),
  };
  return words[status];
}

/** Who offers a tool. */
export function originWord(origin: string): string {
  if (origin === 'built-in') return t('built in');
  return origin === 'skill' ? t('skill') : origin;
}

export function count(value: number): string {
  return countText(value, language);
}

export function duration(milliseconds: number): string {
  return durationText(milliseconds, language);
}

export function dollars(usd: number): string {
  return usdText(usd, language);
}

/** The same for an upper bound. */
export function dollarsAtMost(usd: number): string {
  return usdBoundText(usd, language);
}

export function dollarRange(least: number, most: number): string {
  return usdRangeText(least, most, language);
}
